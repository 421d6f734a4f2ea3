// Streams: handles with flags and a priority. Work is done when it is given, so none ever has anything to wait for; who
// checks is told what a stream was given, and what was waited for.
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

/// Priorities go from 0, the least, to this one.
constexpr int greatest_priority = -5;

class Streams {
 public:
  cudaStream_t create(unsigned flags, int priority);
  /// A stream that only a launch of a graph gives work; of a graph without others it is branch 0.
  cudaStream_t create_branch(std::uint64_t graph, std::uint64_t branch);
  /// False: no stream that cudaStreamCreate gave and that still lives.
  bool destroy(cudaStream_t stream);
  /// The default streams are always known.
  bool known(cudaStream_t stream) const;
  /// What `stream` is, with the default streams' properties for those; only for known streams.
  CUstream_st describe(cudaStream_t stream) const;
  /// What `stream` is among the others. A handle that nobody made stands for the default stream.
  StreamRef ref(cudaStream_t stream) const;
  /// From now on the default stream is that of each thread (nvcc --default-stream per-thread).
  void set_per_thread() { is_per_thread_ = true; }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<cudaStream_t, std::unique_ptr<CUstream_st>> streams_;
  unsigned long long next_id_ = 3;  // after the null, legacy and per-thread streams
  bool is_per_thread_ = false;
};

Streams& streams();

}  // namespace rafter::simt
