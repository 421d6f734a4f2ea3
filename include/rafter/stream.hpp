// Streams: every op takes one first. It determines the device and the order of execution.
#pragma once

#include <cstdint>
#include <memory>

#include "rafter/device.hpp"
#include "rafter/export.hpp"

struct CUstream_st;  // cudaStream_t is a pointer to this

namespace rafter::core {
class OpScope;
class StreamState;
struct StreamAccess;
}  // namespace rafter::core

namespace rafter::inline v1 {

class CpuStream;
class MemoryResource;

/// Whether ops check that the stream's device can access their arrays.
enum class PointerCheck { off, on };

/// A queue of work on one device, and where the memory of that work comes from.
///
/// Ops on one stream run one after the other, whichever host threads call them, so they can share scratch. Scratch is
/// taken from the stream's MemoryResource, in stream order, when an op first needs it. There is one per GPU and CUDA
/// stream, however many Stream objects refer to it. Copies of a Stream are the same stream.
///
/// CUDA graphs: scratch cannot be taken during a capture, so call reserve() before, or run the same ops once. A graph
/// keeps using the scratch of the stream it was captured from: replay it where it cannot overlap that stream's other
/// work or another such graph, and destroy it before the scratch is released.
///
/// Threads may share an object.
class RAFTER_API Stream {
 public:
  static constexpr int current_ordinal = -1;

  /// Returns a stream that runs native code on `n_threads` threads (0: as many as the process may use). Ops return when
  /// their work is done.
  [[nodiscard]] static CpuStream cpu(int n_threads = 0);

  /// Returns a stream of the GPU with this ordinal. The caller keeps ownership of `stream` (null: the legacy default
  /// stream). Creating it allocates no device memory and enqueues nothing, so it may be created for every call, also
  /// during a capture. Ops only enqueue work; errors of a kernel surface at synchronize() or at a later call. Ops run
  /// on the stream's GPU and leave the calling thread's current device unchanged. cudaStreamPerThread refers to the
  /// stream of the thread that calls this function and is rejected in other threads.
  [[nodiscard]] static Stream cuda(CUstream_st* stream = nullptr, int ordinal = current_ordinal);

  /// Returns a new stream on `device`, destroyed with its last copy.
  [[nodiscard]] static Stream on(Device device, int ordinal = current_ordinal);

  // No move: a Stream that was moved from would refer to nothing, and a copy costs a few nanoseconds.
  Stream(const Stream&) = default;
  Stream& operator=(const Stream&) = default;
  ~Stream() = default;

  [[nodiscard]] Device device() const noexcept;
  [[nodiscard]] int ordinal() const noexcept;    ///< the GPU's ordinal among those visible to CUDA; 0 for other devices
  [[nodiscard]] int n_threads() const noexcept;  ///< the threads of a cpu stream; 1 for other devices
  [[nodiscard]] int n_multiprocessors() const noexcept;  ///< the GPU's multiprocessors; 0 for other devices
  [[nodiscard]] CUstream_st* handle() const noexcept;    ///< the cudaStream_t; null for other devices

  /// Makes the stream and all its copies take memory from `resource` from now on: scratch, Buffers, and whatever holds
  /// Buffers, which are solvers, plans, models and pipelines. Null, the default: the device's resource
  /// (memory_resource.hpp). Memory taken earlier returns to the resource it came from.
  void set_memory_resource(std::shared_ptr<MemoryResource> resource) const;

  /// Makes ops on this stream, and on all its copies, verify before they enqueue anything that the device can access
  /// each array argument: a host pointer on a GPU then throws Error (bad_argument) and does not end the CUDA context.
  /// Off by default. Takes about a microsecond per array and never waits.
  void check_pointers(PointerCheck check) const noexcept;
  [[nodiscard]] PointerCheck pointer_check() const noexcept;

  /// Waits for all work on the stream. Throws Error if any of it failed.
  void synchronize() const;

  /// Makes at least `bytes` of scratch available, before a capture or to allocate it early. Without an argument: as
  /// much as any op of the library may request, a 1024th of a GPU's memory or 64 MiB on a CPU.
  void reserve(std::int64_t bytes) const;
  void reserve() const;

  /// Frees the scratch in stream order and removes the stream from the registry; copies of this Stream cannot take
  /// scratch afterwards. Call it before cudaStreamDestroy: the scratch of a stream that was destroyed without it stays
  /// allocated.
  void release() const;

  /// Returns the size of the scratch allocated now, in bytes.
  [[nodiscard]] std::int64_t scratch_bytes() const;

 private:
  friend class core::OpScope;
  friend struct core::StreamAccess;
  friend class CpuStream;
  explicit Stream(std::shared_ptr<core::StreamState> state) : state_(std::move(state)) {}
  std::shared_ptr<core::StreamState> state_;
};

/// A stream of the CPU. Ops on it also accept arrays of the host, such as a std::vector, and a pointer to a single
/// result. It differs from other Streams only in its type.
class CpuStream : public Stream {
 private:
  friend class Stream;
  explicit CpuStream(const Stream& stream) : Stream(stream) {}
};

}  // namespace rafter::inline v1
