// What every call of the runtime API does around its own work.
#pragma once

#include "executor/api/error_state.hpp"
#include "rafter_simt/abi.hpp"

namespace rafter::simt {

inline void refuse_inside_kernels() {
  if (rafter_simt_now.inside != 0) rafter_simt_unsupported("a call of the CUDA runtime inside a kernel");
}

/// Runs a call's body unless the device is lost, and remembers the error it returns.
template <class Body>
cudaError_t call(Body&& body) {
  if (rafter_simt_now.leaving != 0) return cudaSuccess;
  refuse_inside_kernels();
  if (const cudaError_t lost = errors().sticky(); lost != cudaSuccess) return lost;
  return errors().report(body());
}

/// Stores `value` where the caller wants it; a null `to` is the caller's error.
template <class To, class Value>
cudaError_t give(To* to, const Value& value) {
  if (to == nullptr) return cudaErrorInvalidValue;
  *to = value;
  return cudaSuccess;
}

}  // namespace rafter::simt
