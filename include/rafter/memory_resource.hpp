// Where streams take their scratch memory from; a host program may bring its own.
#pragma once

#include <cstdint>
#include <memory>

#include "rafter/device.hpp"

struct CUstream_st;  // cudaStream_t is a pointer to this

namespace rafter {

/// Device memory in stream order, as cudaMallocAsync, RMM's device_memory_resource and PyTorch's caching allocator give
/// it. Both functions are called with the stream's device current, from any host thread, and never during a capture.
class MemoryResource {
 public:
  virtual ~MemoryResource() = default;

  /// At least `bytes`, more than 0, aligned to 256 bytes, for work that is enqueued on `stream` from now on. Throws
  /// when there is no room; what it throws reaches the caller of the op.
  virtual void* allocate(std::int64_t bytes, CUstream_st* stream) = 0;

  /// What allocate() gave for `bytes` on `stream`. Work enqueued there before may still be using it.
  virtual void deallocate(void* memory, std::int64_t bytes, CUstream_st* stream) noexcept = 0;
};

/// From now on streams of `device` take scratch from `resource`; null: from the device's own again, which on a GPU is
/// CUDA's default stream-ordered pool. What was taken before goes back to where it came from, which lives that long.
void set_memory_resource(Device device, std::shared_ptr<MemoryResource> resource);

}  // namespace rafter
