// NVIDIA's driver API, loaded at run time so that the tool starts on a machine without a driver.
#pragma once

#include <cuda.h>

namespace rafter::lab {

class CudaDriver {
 public:
  /// Throws Error (unsupported) without a driver.
  static const CudaDriver& get();

  /// Returns the function of this name. Throws Error (unsupported) if the driver is too old.
  template <class Function>
  Function* find(const char* name) const {
    return reinterpret_cast<Function*>(find_any(name));
  }

  /// Throws Error (device_failure) with the driver's message unless the call succeeded.
  void check(CUresult result, const char* what) const;

 private:
  CudaDriver();
  void* find_any(const char* name) const;

  void* library_;
};

}  // namespace rafter::lab
