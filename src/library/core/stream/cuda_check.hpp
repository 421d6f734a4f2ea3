// Checks of CUDA calls. The message names the call and the source location.
#pragma once

#include <cuda_runtime_api.h>

#include <source_location>

namespace rafter::core {

[[noreturn]] void throw_cuda_error(cudaError_t status, const char* call, std::source_location where);

/// Throws Error (device_failure, or out_of_memory) unless `status` is success, and clears CUDA's last error.
inline void check(cudaError_t status, const char* call, std::source_location where = std::source_location::current()) {
  if (status != cudaSuccess) throw_cuda_error(status, call, where);
}

/// Clears CUDA's last error without reporting it, for destructors.
inline void check_noexcept(cudaError_t status) noexcept {
  if (status != cudaSuccess) static_cast<void>(cudaGetLastError());
}

/// Checks a launch: throws Error with the kernel's name if the launch itself failed.
void check_launch(const void* kernel, std::source_location where);

}  // namespace rafter::core
