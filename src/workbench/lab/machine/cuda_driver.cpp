#include "workbench/lab/machine/cuda_driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "rafter/error.hpp"

namespace rafter::lab {

const CudaDriver& CudaDriver::get() {
  static const CudaDriver driver;
  return driver;
}

CudaDriver::CudaDriver() : library_(dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) {
  if (library_ == nullptr) throw Error(ErrorCode::unsupported, "there is no NVIDIA driver on this machine");
}

void* CudaDriver::find_any(const char* name) const {
  void* const function = dlsym(library_, name);
  if (function == nullptr)
    throw Error(ErrorCode::unsupported, fmt::format("the NVIDIA driver is too old: it has no {}", name));
  return function;
}

void CudaDriver::check(CUresult result, const char* what) const {
  if (result == CUDA_SUCCESS) return;
  const char* words = "an unknown error";
  find<CUresult(CUresult, const char**)>("cuGetErrorString")(result, &words);
  throw Error(ErrorCode::device_failure, fmt::format("{}: {}", what, words));
}

}  // namespace rafter::lab
