// Where an op runs, and in which order: every op takes a stream first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "rafter/device.hpp"

struct CUstream_st;  // cudaStream_t is a pointer to this

namespace rafter {

/// A queue of work on one device, and the scratch memory its ops share.
///
/// Ops on one stream run one after the other, so they can use the same scratch; making a stream allocates it once and
/// no op allocates afterwards. Copies of a stream are the same stream. Use one stream from one host thread at a time.
/// A CUDA graph captured from a stream uses its scratch too: replay it where it cannot overlap that stream's own work.
class Stream {
 public:
  /// Native code on `n_threads` threads (0: as many as the process may use). Ops return when they are done.
  static Stream cpu(int n_threads = 0);

  /// A GPU stream of the current device; the caller keeps ownership of `stream` (null: the default stream).
  /// Ops only enqueue work: errors of a kernel surface at synchronize() or at a later call.
  static Stream cuda(CUstream_st* stream = nullptr);

  /// A new stream of its own on any device, destroyed with its last copy.
  static Stream on(Device device);

  Device device() const noexcept;
  int n_threads() const noexcept;          ///< of a cpu stream; 1 on others
  int n_multiprocessors() const noexcept;  ///< of the GPU; 0 on others
  CUstream_st* handle() const noexcept;    ///< null on others than cuda

  /// Waits for all work on the stream; throws Error if some of it failed.
  void synchronize() const;

  /// Makes at least `bytes` of scratch available. Ops of the library never need more than a stream starts with.
  /// Growing moves the scratch: graphs captured from this stream before must not be replayed after.
  void reserve(std::int64_t bytes) const;

  /// Scratch there is now, in bytes.
  std::int64_t scratch_bytes() const noexcept;

  /// For ops: scratch of at least `bytes`, on the stream's device, valid until the next op on this stream.
  std::byte* scratch(std::int64_t bytes) const;

  /// For ops: `n_tickets` counters in device memory that are zero before every op; the op must leave them zero.
  unsigned* tickets() const noexcept;
  static constexpr int n_tickets = 4096;

 private:
  struct State;
  explicit Stream(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

}  // namespace rafter
