// Copies between host and device memory.
#include "rafter_simt/api_functions.hpp"
#include "simt/api/boxes.hpp"
#include "simt/api/call.hpp"
#include "simt/api/streams.hpp"

using namespace rafter::simt;

namespace {

cudaError_t copy_bytes(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const void* site) {
  const Box whole{.start = to, .pitch = bytes, .slice = bytes};
  const ConstBox source{.start = from, .pitch = bytes, .slice = bytes};
  return copy_box(whole, source, {bytes, 1, 1}, kind, site);
}

cudaError_t copy_rows(Box to, ConstBox from, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                      const void* site) {
  if (width > to.pitch || width > from.pitch) return cudaErrorInvalidPitchValue;
  return copy_box(to, from, {width, height, 1}, kind, site);
}

/// Where a 3-D copy begins; false when its rows or slices would run into the next ones.
bool locate(const cudaPitchedPtr& memory, cudaPos at, cudaExtent extent, ConstBox* box) {
  const std::size_t slice = memory.pitch * memory.ysize;
  if (at.x > memory.pitch || extent.width > memory.pitch - at.x) return false;
  if (extent.depth > 1 && (at.y > memory.ysize || extent.height > memory.ysize - at.y)) return false;
  *box = {.start = static_cast<const std::byte*>(memory.ptr) + at.z * slice + at.y * memory.pitch + at.x,
          .pitch = memory.pitch,
          .slice = slice};
  return true;
}

cudaError_t copy_volume(const cudaMemcpy3DParms* copy, const void* site) {
  if (copy == nullptr) return cudaErrorInvalidValue;
  if (copy->srcArray != nullptr || copy->dstArray != nullptr)
    rafter_simt_unsupported("cudaMemcpy3D: CUDA arrays and textures");
  if (copy->srcPtr.ptr == nullptr || copy->dstPtr.ptr == nullptr) return cudaErrorInvalidValue;
  ConstBox from{}, to{};
  if (!locate(copy->srcPtr, copy->srcPos, copy->extent, &from) ||
      !locate(copy->dstPtr, copy->dstPos, copy->extent, &to))
    return cudaErrorInvalidPitchValue;
  return copy_box({const_cast<void*>(to.start), to.pitch, to.slice}, from, copy->extent, copy->kind, site);
}

cudaError_t on_stream(cudaStream_t stream) {
  return streams().known(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t copy_between_devices(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                 const void* site) {
  if (to_device != 0 || from_device != 0) return cudaErrorInvalidDevice;
  return copy_bytes(to, from, bytes, cudaMemcpyDeviceToDevice, site);
}

}  // namespace

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const void* const site = __builtin_return_address(0);
  return call([&] { return copy_bytes(to, from, bytes, kind, site); });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  const void* const site = __builtin_return_address(0);
  return call([&] {
    const cudaError_t error = on_stream(stream);
    return error == cudaSuccess ? copy_bytes(to, from, bytes, kind, site) : error;
  });
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t bytes) {
  const void* const site = __builtin_return_address(0);
  return call([&] { return copy_between_devices(to, to_device, from, from_device, bytes, site); });
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                cudaStream_t stream) {
  const void* const site = __builtin_return_address(0);
  return call([&] {
    const cudaError_t error = on_stream(stream);
    return error == cudaSuccess ? copy_between_devices(to, to_device, from, from_device, bytes, site) : error;
  });
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind) {
  const void* const site = __builtin_return_address(0);
  return call([&] { return copy_rows({to, to_pitch, 0}, {from, from_pitch, 0}, width, height, kind, site); });
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  const void* const site = __builtin_return_address(0);
  return call([&] {
    const cudaError_t error = on_stream(stream);
    if (error != cudaSuccess) return error;
    return copy_rows({to, to_pitch, 0}, {from, from_pitch, 0}, width, height, kind, site);
  });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy) {
  const void* const site = __builtin_return_address(0);
  return call([&] { return copy_volume(copy, site); });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t stream) {
  const void* const site = __builtin_return_address(0);
  return call([&] {
    const cudaError_t error = on_stream(stream);
    return error == cudaSuccess ? copy_volume(copy, site) : error;
  });
}
