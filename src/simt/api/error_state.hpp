// The errors a program sees: the last one of each host thread, and the one that has cost it the device.
#pragma once

#include <atomic>

#include "rafter_simt/api_types.hpp"

namespace rafter::simt {

class ErrorState {
 public:
  /// Remembers an error of a call as this thread's last one; success leaves the last one alone.
  /// Returns what the call shall return: the sticky error once there is one.
  cudaError_t report(cudaError_t error);
  /// Remembers an error after which the device is lost, as after an illegal address, an assert or a trap:
  /// every call returns it until reset(). The first one stays.
  cudaError_t poison(cudaError_t error);
  /// The error that has cost the device, or success.
  cudaError_t sticky() const { return sticky_.load(std::memory_order_acquire); }

  cudaError_t last() const;
  /// The last error, which is forgotten unless it is sticky.
  cudaError_t take_last();
  /// What cudaDeviceReset does.
  void reset();

 private:
  std::atomic<cudaError_t> sticky_{cudaSuccess};
};

ErrorState& errors();

}  // namespace rafter::simt
