#include "library/core/stream/cuda_check.hpp"

#include <string>

#include "rafter/error.hpp"

namespace rafter::core {

namespace {

std::string kernel_name(const void* kernel) {
#if CUDART_VERSION >= 12030
  const char* name = nullptr;
  if (cudaFuncGetName(&name, kernel) == cudaSuccess && name != nullptr) return name;
#endif
  return "a kernel";
}

}  // namespace

void throw_cuda_error(cudaError_t status, const char* call, std::source_location where) {
  static_cast<void>(cudaGetLastError());
  const auto code = status == cudaErrorMemoryAllocation ? ErrorCode::out_of_memory : ErrorCode::device_failure;
  throw Error(code, std::string(call) + " failed: " + cudaGetErrorString(status) + " (" + cudaGetErrorName(status) +
                        ") at " + where.file_name() + ":" + std::to_string(where.line()));
}

void check_launch(const void* kernel, std::source_location where) {
  const cudaError_t status = cudaGetLastError();
  if (status != cudaSuccess) throw_cuda_error(status, ("launch of " + kernel_name(kernel)).c_str(), where);
}

}  // namespace rafter::core
