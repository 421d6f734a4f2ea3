#include <cuda_runtime_api.h>

#include <algorithm>

#include "library/core/stream/cuda_check.hpp"
#include "rafter/buffer.hpp"
#include "workbench/lab/machine/cuda_driver.hpp"
#include "workbench/lab/machine/device_variables.hpp"
#include "workbench/lab/machine/module_state.hpp"

namespace rafter::lab {

struct ModuleState::Variable {
  std::string name;
  void* memory;
  Buffer<std::byte> initial;
};

ModuleState::ModuleState(const std::filesystem::path& file, void* kernel) {
  const CudaDriver& driver = CudaDriver::get();
  CUmodule module = nullptr;
  driver.check(
      driver.find<CUresult(CUmodule*, CUfunction)>("cuFuncGetModule")(&module, static_cast<CUfunction>(kernel)),
      "finding the module of a kernel");
  const auto get_global =
      driver.find<CUresult(CUdeviceptr*, std::size_t*, CUmodule, const char*)>("cuModuleGetGlobal_v2");
  const Stream stream = Stream::on(Device::cuda);
  for (const DeviceVariable& variable : device_variables(file)) {
    CUdeviceptr memory = 0;
    std::size_t bytes = 0;
    const CUresult found = get_global(&memory, &bytes, module, variable.symbol.c_str());
    if (found == CUDA_ERROR_NOT_FOUND) continue;  // a string of the compiler, or another module's
    driver.check(found, "finding a variable");
    Buffer<std::byte> initial(stream, static_cast<std::int64_t>(bytes));
    void* const place = reinterpret_cast<void*>(memory);
    core::check(cudaMemcpyAsync(initial.data(), place, bytes, cudaMemcpyDefault, stream.handle()), "cudaMemcpyAsync");
    variables_.push_back({variable.name, place, std::move(initial)});
  }
  stream.synchronize();
}

ModuleState::~ModuleState() = default;

std::vector<std::string> ModuleState::keep(const std::string& name) {
  const auto is_called = [&](const Variable& variable) {
    return variable.name == name || variable.name.ends_with("::" + name);
  };
  if (std::erase_if(variables_, is_called) > 0) return {};
  std::vector<std::string> known;
  for (const Variable& variable : variables_) known.push_back(variable.name);
  return known;
}

void ModuleState::restore(const Stream& stream) const {
  for (const Variable& variable : variables_) {
    core::check(cudaMemcpyAsync(variable.memory, variable.initial.data(),
                                static_cast<std::size_t>(variable.initial.size()), cudaMemcpyDefault, stream.handle()),
                "cudaMemcpyAsync");
  }
}

}  // namespace rafter::lab
