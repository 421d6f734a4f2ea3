// The errors a program sees: the last one of each host thread, and the one that has cost it the device.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "rafter_simt/api/types.hpp"

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

  /// The last error; from now on none of this thread's was ignored.
  cudaError_t last();
  /// The last error, which is forgotten unless it is sticky.
  cudaError_t take_last();
  /// What cudaDeviceReset does.
  void reset();

  /// The program has no use for the result of the call that ended at `place`. Where that was an error, it is one that
  /// nobody has looked at, until this thread asks for its last one.
  void ignore(const void* place);
  struct Ignored {
    cudaError_t error;
    const void* place;
  };
  std::vector<Ignored> ignored() const;

 private:
  std::atomic<cudaError_t> sticky_{cudaSuccess};
  mutable std::mutex mutex_;
  std::map<std::thread::id, std::vector<Ignored>> ignored_;
};

ErrorState& errors();

}  // namespace rafter::simt
