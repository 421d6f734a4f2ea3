// The frame of every runtime API call: error handling and results.
#pragma once

#include "executor/api/error_state.hpp"
#include "executor/process/observer.hpp"
#include "rafter_simt/abi.hpp"

namespace rafter::simt {

inline void refuse_inside_kernels() {
  if (rafter_simt_now.inside != 0) rafter_simt_unsupported("a call of the CUDA runtime inside a kernel");
}

/// Runs a call's body unless there is a sticky error, and records the error it returns.
template <class Body>
cudaError_t call(Body&& body) {
  if (rafter_simt_now.leaving != 0) return cudaSuccess;
  refuse_inside_kernels();
  if (const cudaError_t lost = errors().sticky(); lost != cudaSuccess) return lost;
  return errors().report(body());
}

/// Stores a result in the caller's variable. Returns an error if `to` is null.
template <class To, class Value>
cudaError_t store_result(To* to, const Value& value) {
  if (to == nullptr) return cudaErrorInvalidValue;
  *to = value;
  return cudaSuccess;
}

/// Stores a result for a call that a thread of a kernel makes, as a store of that thread.
template <class To, class Value>
cudaError_t store_result_in_kernel(To* to, const Value& value, const void* site) {
  if (Observer* observer = observing(); observer && to)
    observer->access({reinterpret_cast<std::byte*>(to), sizeof(To), true, false, AccessMode::plain, false, site});
  return store_result(to, value);
}

}  // namespace rafter::simt
