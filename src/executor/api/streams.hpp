// Streams: handles with flags and a priority. Work is performed when it is enqueued, so streams are always idle. The
// stream observer is notified of the work of each stream and of all waits.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

#include "executor/process/stream_observer.hpp"
#include "rafter_simt/api/types.hpp"

struct CUstream_st {
  unsigned flags;
  int priority;
  unsigned long long id;
};

namespace rafter::simt {

/// The greatest priority; 0 is the least.
constexpr int greatest_priority = -5;

class Streams {
 public:
  cudaStream_t create(unsigned flags, int priority);
  /// Creates a stream for a branch of a graph. Only launches of the graph enqueue work on it.
  cudaStream_t create_branch(std::uint64_t graph, std::uint64_t branch);
  /// Destroys a stream. Returns false unless cudaStreamCreate returned it and it still exists.
  bool destroy(cudaStream_t stream);
  /// Whether a stream exists; the default streams always do.
  bool known(cudaStream_t stream) const;
  /// Returns the properties of a known stream, also of a default stream.
  CUstream_st describe(cudaStream_t stream) const;
  /// Returns the number and kind of a stream. An unknown handle counts as the default stream.
  StreamRef ref(cudaStream_t stream) const;
  /// Makes the default stream per-thread (nvcc --default-stream per-thread).
  void set_per_thread() { is_per_thread_ = true; }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<cudaStream_t, std::unique_ptr<CUstream_st>> streams_;
  unsigned long long next_id_ = 3;  // after the null, legacy and per-thread streams
  bool is_per_thread_ = false;
};

Streams& streams();

}  // namespace rafter::simt
