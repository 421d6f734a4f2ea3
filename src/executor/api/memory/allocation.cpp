// Allocation and deallocation of device, managed and pinned memory.
#include <limits>

#include "executor/api/call.hpp"
#include "executor/api/graphs/capture.hpp"
#include "executor/api/memory/host_memory.hpp"
#include "executor/api/task.hpp"
#include "executor/memory/memory.hpp"
#include "rafter_simt/api/functions.hpp"

namespace rafter::simt {
namespace {

// The row alignment of an H100 for every width.
constexpr std::size_t pitch_bytes = 512;

cudaError_t allocate_in_stream(MemoryKind kind, void** to, std::size_t bytes, const void* site) {
  if (to == nullptr) return cudaErrorInvalidValue;
  if (bytes == 0) return store_result(to, nullptr);
  void* const got = memory().allocate(kind, bytes, site);
  return got == nullptr ? cudaErrorMemoryAllocation : store_result(to, got);
}

cudaError_t allocate(MemoryKind kind, void** to, std::size_t bytes, const void* site) {
  const cudaError_t refused = unsafe_in_capture();
  return refused == cudaSuccess ? allocate_in_stream(kind, to, bytes, site) : refused;
}

/// Allocates from the heap of malloc in kernels.
cudaError_t allocate_in_kernel(void** to, std::size_t bytes, const void* site) {
  void* const got = bytes > 0 ? rafter_simt_device_malloc(bytes) : nullptr;
  return bytes > 0 && got == nullptr ? cudaErrorMemoryAllocation : store_result_in_kernel(to, got, site);
}

cudaError_t allocate_pinned(void** to, std::size_t bytes, unsigned flags, const void* site) {
  if (flags > (cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined)) return cudaErrorInvalidValue;
  const cudaError_t error = allocate(MemoryKind::pinned, to, bytes, site);
  if (error == cudaSuccess && bytes > 0) host_memory().allocated(*to, flags | cudaHostAllocMapped);
  return error;
}

/// Releases memory even after a sticky error, so that it is not reported as a leak. The call still returns the error.
cudaError_t release(void* pointer, const void* site) {
  if (rafter_simt_now.leaving != 0) return cudaSuccess;
  refuse_inside_kernels();
  if (pointer == nullptr) return errors().report(cudaSuccess);
  const Allocation* const found = memory().find(pointer);
  const bool managed = found != nullptr && found->kind == MemoryKind::managed;
  const bool released = memory().release(pointer, managed ? MemoryKind::managed : MemoryKind::device, site);
  return errors().report(released ? cudaSuccess : cudaErrorInvalidValue);
}

void refuse_captured_memory(cudaStream_t stream) {
  if (captures().in_use() && captures().of(ref_of(stream)))
    rafter_simt_unsupported("cudaMallocAsync and cudaFreeAsync in a stream that is being captured");
}

/// Computes the pitch and size of padded rows of `width` bytes. Returns false on overflow.
bool pitched_bytes(std::size_t width, std::size_t rows, std::size_t* pitch, std::size_t* bytes) {
  if (width > std::numeric_limits<std::size_t>::max() - pitch_bytes) return false;
  *pitch = (width + pitch_bytes - 1) / pitch_bytes * pitch_bytes;
  return !__builtin_mul_overflow(*pitch, rows, bytes);
}

}  // namespace
}  // namespace rafter::simt

using namespace rafter::simt;

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  const void* const site = __builtin_return_address(0);
  if (rafter_simt_now.inside) return allocate_in_kernel(memory, bytes, site);
  return call([&] { return allocate(MemoryKind::device, memory, bytes, site); });
}

cudaError_t cudaMallocManaged(void** memory, std::size_t bytes, unsigned flags) {
  const void* const site = __builtin_return_address(0);
  return call([&] {
    if (bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)) return cudaErrorInvalidValue;
    return allocate(MemoryKind::managed, memory, bytes, site);
  });
}

cudaError_t cudaMallocHost(void** memory, std::size_t bytes) {
  const void* const site = __builtin_return_address(0);
  return call([&] { return allocate_pinned(memory, bytes, cudaHostAllocDefault, site); });
}

cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned flags) {
  const void* const site = __builtin_return_address(0);
  return call([&] { return allocate_pinned(memory, bytes, flags, site); });
}

cudaError_t cudaMallocPitch(void** memory, std::size_t* pitch, std::size_t width, std::size_t height) {
  const void* const site = __builtin_return_address(0);
  return call([&] {
    std::size_t bytes = 0;
    if (pitch == nullptr || !pitched_bytes(width, height, pitch, &bytes)) return cudaErrorInvalidValue;
    return allocate(MemoryKind::device, memory, bytes, site);
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* memory, cudaExtent extent) {
  const void* const site = __builtin_return_address(0);
  return call([&] {
    std::size_t pitch = 0, rows = 0, bytes = 0;
    if (memory == nullptr || __builtin_mul_overflow(extent.height, extent.depth, &rows) ||
        !pitched_bytes(extent.width, rows, &pitch, &bytes))
      return cudaErrorInvalidValue;
    void* start = nullptr;
    const cudaError_t error = allocate(MemoryKind::device, &start, bytes, site);
    if (error == cudaSuccess) *memory = make_cudaPitchedPtr(start, pitch, extent.width, extent.height);
    return error;
  });
}

cudaError_t cudaFree(void* memory) {
  const void* const site = __builtin_return_address(0);
  if (rafter_simt_now.inside) return rafter_simt_device_free(memory), cudaSuccess;
  const cudaError_t refused = memory ? unsafe_in_capture() : cudaSuccess;
  return refused == cudaSuccess ? release(memory, site) : errors().report(refused);
}

cudaError_t cudaFreeHost(void* pointer) {
  const void* const site = __builtin_return_address(0);
  if (rafter_simt_now.leaving != 0) return cudaSuccess;
  refuse_inside_kernels();
  if (pointer == nullptr) return errors().report(cudaSuccess);
  if (const cudaError_t refused = unsafe_in_capture(); refused != cudaSuccess) return errors().report(refused);
  host_memory().released(pointer);
  return errors().report(memory().release(pointer, MemoryKind::pinned, site) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t stream) {
  const void* const site = __builtin_return_address(0);
  return call([&] {
    if (!streams().known(stream)) return cudaErrorInvalidResourceHandle;
    refuse_captured_memory(stream);
    const Task task("cudaMallocAsync", stream, site);
    return allocate_in_stream(MemoryKind::device, memory, bytes, site);
  });
}

cudaError_t cudaMallocFromPoolAsync(void** memory, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  const void* const site = __builtin_return_address(0);
  return call([&] {
    if (pool == nullptr) return cudaErrorInvalidValue;
    if (!streams().known(stream)) return cudaErrorInvalidResourceHandle;
    refuse_captured_memory(stream);
    const Task task("cudaMallocFromPoolAsync", stream, site);
    return allocate_in_stream(MemoryKind::device, memory, bytes, site);
  });
}

cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream) {
  const void* const site = __builtin_return_address(0);
  if (rafter_simt_now.leaving != 0) return cudaSuccess;
  refuse_inside_kernels();
  refuse_captured_memory(stream);
  const Task task("cudaFreeAsync", stream, site);
  return release(memory, site);
}

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  return call([&] {
    const cudaError_t error = store_result(free_bytes, memory().free_bytes());
    return error == cudaSuccess ? store_result(total_bytes, memory().total_bytes()) : error;
  });
}
