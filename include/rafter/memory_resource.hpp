// Where memory on a device comes from. A host program may provide its own allocator, for a device or for one stream.
#pragma once

#include <cstdint>
#include <memory>

#include "rafter/device.hpp"
#include "rafter/export.hpp"

struct CUstream_st;  // cudaStream_t is a pointer to this

namespace rafter::inline v1 {

/// A stream-ordered allocator of device memory, like cudaMallocAsync, RMM's device_memory_resource and PyTorch's
/// caching allocator. The library calls both functions with the stream's device current, from any host thread, and
/// never during a capture.
///
/// Scratch of a stream is allocated and freed on that stream. A Buffer may be used on any stream and may outlive its
/// own, so it is allocated and freed on the legacy default stream (`stream` is null), and the library waits: for that
/// stream after the allocation, and for the whole device before the deallocation.
///
/// Threads may share an object; the library calls it from any thread.
class RAFTER_API MemoryResource {
 public:
  virtual ~MemoryResource() = default;

  /// Returns at least `bytes` bytes (`bytes` > 0), aligned to 256 bytes, for work enqueued on `stream` from now on.
  /// Throws when it cannot; the exception reaches the caller of the op or constructor. Null is reported as Error
  /// (out_of_memory).
  [[nodiscard]] virtual void* allocate(std::int64_t bytes, CUstream_st* stream) = 0;

  /// Frees memory that allocate() returned for `bytes` on `stream`. Work already enqueued there may still use it.
  virtual void deallocate(void* memory, std::int64_t bytes, CUstream_st* stream) noexcept = 0;
};

/// Makes streams of `device` take scratch and Buffers from `resource`, except streams with a resource of their own
/// (Stream::set_memory_resource). Null restores the device's own memory, which on a GPU is CUDA's default
/// stream-ordered pool for scratch and cudaMalloc for Buffers. Memory taken earlier returns to the resource it came
/// from, which is kept alive until then.
RAFTER_API void set_memory_resource(Device device, std::shared_ptr<MemoryResource> resource);

}  // namespace rafter::inline v1
