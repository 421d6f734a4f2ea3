#include "workbench/trial/gpu_driver.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cxxabi.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <cstring>

#include "base/pattern.hpp"
#include "library/core/stream/cuda_check.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/machine/cuda_driver.hpp"
#include "workbench/trial/signature.hpp"

namespace rafter::trial {

namespace {

using lab::CudaDriver;

std::string demangled(const char* symbol) {
  int status = 0;
  char* text = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  const std::string result = text != nullptr ? text : symbol;
  std::free(text);
  return result;
}

/// Whether a function's full name, "void ns::sum<float>(float const*)", is the kernel's: "sum<float>", "sum".
bool is_called(const std::string& full, const std::string& name) {
  for (std::size_t at = full.find(name); at != std::string::npos; at = full.find(name, at + 1)) {
    const char before = at > 0 ? full[at - 1] : ' ';
    const char after = at + name.size() < full.size() ? full[at + name.size()] : '(';
    if ((before == ' ' || before == ':') && (after == '(' || after == ' ')) return true;
  }
  return false;
}

CUfunction find_function(CUmodule module, const std::string& kernel) {
  const std::string name = base::Pattern(" *, *").replace(kernel, ", ");  // as in demangled names
  const CudaDriver& driver = CudaDriver::get();
  unsigned n = 0;
  driver.check(driver.find<CUresult(unsigned*, CUmodule)>("cuModuleGetFunctionCount")(&n, module),
               "listing the kernels");
  std::vector<CUfunction> functions(n);
  driver.check(
      driver.find<CUresult(CUfunction*, unsigned, CUmodule)>("cuModuleEnumerateFunctions")(functions.data(), n, module),
      "listing the kernels");
  for (const CUfunction function : functions) {
    const char* symbol = "";
    driver.check(driver.find<CUresult(const char**, CUfunction)>("cuFuncGetName")(&symbol, function),
                 "reading a kernel's name");
    if (is_called(demangled(symbol), name)) return function;
  }
  throw Error(ErrorCode::unsupported, fmt::format("the compiled file has no kernel {}", name));
}

class DriverKernel final : public lab::LearnerKernel {
 public:
  DriverKernel(const std::string& cubin, const std::string& name, const KernelParameters& parameters,
               const lab::Extents& block)
      : block_(block), order_(parameters.order) {
    const CudaDriver& driver = CudaDriver::get();
    core::check(cudaFree(nullptr), "creating a context");
    driver.check(driver.find<CUresult(CUmodule*, const void*)>("cuModuleLoadData")(&module_, cubin.data()),
                 "loading the kernel");
    function_ = find_function(module_, name);
    launch_ = driver.find<CUresult(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                   CUstream, void**, void**)>("cuLaunchKernel");
    for (const std::string& type : parameters.types) types_.push_back(parameter_type(type));
  }

  const lab::Extents& block() const override { return block_; }

  void launch(const Stream& stream, const lab::Extents& grid, const lab::Extents& block,
              std::span<const lab::KernelValue> values) const override {
    std::vector<std::array<std::byte, 8>> bytes(order_.size());
    std::vector<void*> pointers;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      pack(values[order_[i]], types_.at(i), bytes[i].data());
      pointers.push_back(bytes[i].data());
    }
    const auto n = [](std::int64_t extent) { return static_cast<unsigned>(extent); };
    CudaDriver::get().check(launch_(function_, n(grid.x), n(grid.y), n(grid.z), n(block.x), n(block.y), n(block.z), 0,
                                    stream.handle(), pointers.data(), nullptr),
                            "launching the kernel");
  }

 private:
  /// Converts a number to the type of the kernel's parameter, as a call would.
  static void pack(const lab::KernelValue& value, const ParameterType& type, std::byte* to) {
    const auto put = [&](auto number) { std::memcpy(to, &number, sizeof number); };
    if (const auto* pointer = std::get_if<const void*>(&value)) return put(*pointer);
    const double real = std::holds_alternative<double>(value) ? std::get<double>(value)
                                                              : static_cast<double>(std::get<std::int64_t>(value));
    if (type.is_float()) return type.bits() == 64 ? put(real) : put(static_cast<float>(real));
    put(std::holds_alternative<double>(value) ? static_cast<std::int64_t>(real) : std::get<std::int64_t>(value));
  }

  lab::Extents block_;
  ArgumentOrder order_;
  std::vector<ParameterType> types_;
  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
  CUresult (*launch_)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream,
                      void**, void**) = nullptr;
};

}  // namespace

std::shared_ptr<const lab::LearnerKernel> load_kernel(const std::string& cubin, const std::string& name,
                                                      const KernelParameters& parameters, const lab::Extents& block) {
  return std::make_shared<DriverKernel>(cubin, name, parameters, block);
}

}  // namespace rafter::trial
