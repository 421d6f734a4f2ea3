// The allocator that streams take their scratch memory from. A host program may provide its own.
#pragma once

#include <cstdint>
#include <memory>

#include "rafter/device.hpp"
#include "rafter/export.hpp"

struct CUstream_st;  // cudaStream_t is a pointer to this

namespace rafter {

/// A stream-ordered allocator of device memory, like cudaMallocAsync, RMM's device_memory_resource and PyTorch's
/// caching allocator. The library calls both functions with the stream's device current, from any host thread, and
/// never during a capture.
class RAFTER_API MemoryResource {
 public:
  virtual ~MemoryResource() = default;

  /// Returns at least `bytes` bytes (`bytes` > 0), aligned to 256 bytes, for work enqueued on `stream` from now on.
  /// Throws when it cannot; the exception reaches the caller of the op. Null is reported as Error (out_of_memory).
  virtual void* allocate(std::int64_t bytes, CUstream_st* stream) = 0;

  /// Frees memory that allocate() returned for `bytes` on `stream`. Work already enqueued there may still use it.
  virtual void deallocate(void* memory, std::int64_t bytes, CUstream_st* stream) noexcept = 0;
};

/// Makes streams of `device` take their scratch from `resource`. Null restores the device's own resource, which on a
/// GPU is CUDA's default stream-ordered pool. Scratch taken earlier returns to the resource it came from, which is kept
/// alive until then.
RAFTER_API void set_memory_resource(Device device, std::shared_ptr<MemoryResource> resource);

}  // namespace rafter
