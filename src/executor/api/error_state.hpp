// The errors that a program sees: the last error of each host thread, and the sticky error.
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
  /// Records a call's error as this thread's last error; success leaves the last error unchanged. Returns the result of
  /// the call: the sticky error if there is one.
  cudaError_t report(cudaError_t error);
  /// Records a sticky error, such as an illegal address, an assert or a trap. Every call returns it until reset(). The
  /// first one is kept.
  cudaError_t poison(cudaError_t error);
  /// Returns the sticky error, or success.
  cudaError_t sticky() const { return sticky_.load(std::memory_order_acquire); }

  /// Returns the last error. None of this thread's earlier errors counts as ignored then.
  cudaError_t last();
  /// Returns the last error and clears it unless it is sticky.
  cudaError_t take_last();
  /// Clears all errors, as cudaDeviceReset does.
  void reset();

  /// Records that the program discards the result of the call at `place`. An error counts as ignored until this thread
  /// queries its last error.
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
