// Where an op runs, and in which order: every op takes a stream first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "rafter/device.hpp"

struct CUstream_st;  // cudaStream_t is a pointer to this

namespace rafter {

namespace core {
class OpScope;
class StreamState;
}  // namespace core

/// A queue of work on one device, and the scratch memory its ops share.
///
/// Ops on one stream run one after the other, whichever host threads call them, so they can use the same scratch. It is
/// taken when an op first needs some, in stream order, from the device's MemoryResource; there is one per GPU and CUDA
/// stream however many Stream objects name it. Copies of a Stream are the same stream, and any thread may use them.
///
/// CUDA graphs: scratch cannot be taken during a capture, so call reserve() before, or run the same ops once. A graph
/// keeps using the scratch of the stream it was captured from: replay it where it cannot overlap that stream's other
/// work, nor another such graph, and destroy it before the scratch is released.
class Stream {
 public:
  static constexpr int current_ordinal = -1;

  /// Native code on `n_threads` threads (0: as many as the process may use). Ops return when they are done.
  static Stream cpu(int n_threads = 0);

  /// A stream of the GPU with this ordinal; the caller keeps ownership of `stream` (null: the legacy default stream).
  /// Making it allocates no device memory and enqueues nothing: make one per call, also during a capture.
  /// Ops only enqueue work: errors of a kernel surface at synchronize() or at a later call. They run on the stream's
  /// GPU and leave the calling thread's current device as it was.
  /// cudaStreamPerThread is the stream of the thread that calls this, and is refused in others.
  static Stream cuda(CUstream_st* stream = nullptr, int ordinal = current_ordinal);

  /// A new stream of its own on any device, destroyed with its last copy.
  static Stream on(Device device, int ordinal = current_ordinal);

  Device device() const noexcept;
  int ordinal() const noexcept;            ///< of the GPU among those CUDA shows; 0 on others
  int n_threads() const noexcept;          ///< of a cpu stream; 1 on others
  int n_multiprocessors() const noexcept;  ///< of the GPU; 0 on others
  CUstream_st* handle() const noexcept;    ///< null on others than cuda

  /// Waits for all work on the stream; throws Error if some of it failed.
  void synchronize() const;

  /// Makes at least `bytes` of scratch available, for captures and to take it early; without a number as much as any
  /// op of the library asks for: a 1024th of a GPU's memory, or 64 MiB on a CPU.
  void reserve(std::int64_t bytes) const;
  void reserve() const;

  /// Gives the scratch back in stream order and forgets the stream; copies of this Stream can take none any more. Call
  /// it before cudaStreamDestroy: the scratch of a stream that was destroyed without it stays allocated.
  void release() const;

  /// Scratch there is now, in bytes.
  std::int64_t scratch_bytes() const;

  // For ops, in the host thread that calls them: the stream is theirs while they enqueue.

  /// What scratch() may be asked for by an op that can do with less. During a capture, what there is.
  std::int64_t scratch_limit() const;

  /// Scratch of at least `bytes`, on the stream's device, valid until more is asked for or the op ends.
  std::byte* scratch(std::int64_t bytes) const;

  /// `n_tickets` counters in device memory that are zero before every op; the op must leave them zero.
  unsigned* tickets() const;
  static constexpr int n_tickets = 4096;

 private:
  friend class core::OpScope;
  explicit Stream(std::shared_ptr<core::StreamState> state) : state_(std::move(state)) {}
  std::shared_ptr<core::StreamState> state_;
};

}  // namespace rafter
