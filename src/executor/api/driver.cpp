// The driver API functions that programs written for the runtime API use.
#include <cstdio>

#include "executor/api/device_properties.hpp"
#include "executor/memory/memory.hpp"
#include "rafter_simt/api/driver_api.hpp"
#include "rafter_simt/api/functions.hpp"

using namespace rafter::simt;

namespace {

template <class To, class Value>
CUresult answer(To* to, const Value& value) {
  if (to == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *to = value;
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuInit(unsigned flags) { return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }
CUresult cuDriverGetVersion(int* version) { return answer(version, CUDA_VERSION); }
CUresult cuDeviceGetCount(int* count) { return answer(count, 1); }

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return ordinal == 0 ? answer(device, 0) : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  if (name == nullptr || length <= 0) return CUDA_ERROR_INVALID_VALUE;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  std::snprintf(name, static_cast<std::size_t>(length), "%s", device_properties().name);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return static_cast<CUresult>(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device));
}

CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
  return device == 0 ? answer(bytes, memory().total_bytes()) : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  return static_cast<CUresult>(cudaMemGetInfo(free_bytes, total_bytes));
}

// Driver errors have the runtime's numbers; only the names differ.
CUresult cuGetErrorString(CUresult error, const char** text) {
  return answer(text, cudaGetErrorString(static_cast<cudaError_t>(error)));
}

CUresult cuGetErrorName(CUresult error, const char** name) {
  switch (error) {
#define RAFTER_SIMT_NAME(value) \
  case value: return answer(name, #value)
    RAFTER_SIMT_NAME(CUDA_SUCCESS);
    RAFTER_SIMT_NAME(CUDA_ERROR_INVALID_VALUE);
    RAFTER_SIMT_NAME(CUDA_ERROR_OUT_OF_MEMORY);
    RAFTER_SIMT_NAME(CUDA_ERROR_NOT_INITIALIZED);
    RAFTER_SIMT_NAME(CUDA_ERROR_DEINITIALIZED);
    RAFTER_SIMT_NAME(CUDA_ERROR_NO_DEVICE);
    RAFTER_SIMT_NAME(CUDA_ERROR_INVALID_DEVICE);
    RAFTER_SIMT_NAME(CUDA_ERROR_INVALID_IMAGE);
    RAFTER_SIMT_NAME(CUDA_ERROR_INVALID_CONTEXT);
    RAFTER_SIMT_NAME(CUDA_ERROR_INVALID_HANDLE);
    RAFTER_SIMT_NAME(CUDA_ERROR_NOT_FOUND);
    RAFTER_SIMT_NAME(CUDA_ERROR_NOT_READY);
    RAFTER_SIMT_NAME(CUDA_ERROR_ILLEGAL_ADDRESS);
    RAFTER_SIMT_NAME(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
    RAFTER_SIMT_NAME(CUDA_ERROR_LAUNCH_TIMEOUT);
    RAFTER_SIMT_NAME(CUDA_ERROR_LAUNCH_FAILED);
    RAFTER_SIMT_NAME(CUDA_ERROR_NOT_PERMITTED);
    RAFTER_SIMT_NAME(CUDA_ERROR_NOT_SUPPORTED);
    RAFTER_SIMT_NAME(CUDA_ERROR_UNKNOWN);
#undef RAFTER_SIMT_NAME
  }
  return CUDA_ERROR_INVALID_VALUE;
}
