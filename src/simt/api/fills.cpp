// Fills of device memory.
#include "rafter_simt/api_functions.hpp"
#include "simt/api/boxes.hpp"
#include "simt/api/call.hpp"
#include "simt/api/streams.hpp"

using namespace rafter::simt;

namespace {

cudaError_t fill_rows(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height, const void* site) {
  if (height > 1 && width > pitch) return cudaErrorInvalidValue;
  return fill_box({to, pitch, 0}, value, {width, height, 1}, site);
}

cudaError_t fill_volume(const cudaPitchedPtr& to, int value, cudaExtent extent, const void* site) {
  if (extent.width > to.pitch || (extent.depth > 1 && extent.height > to.ysize)) return cudaErrorInvalidValue;
  return fill_box({to.ptr, to.pitch, to.pitch * to.ysize}, value, extent, site);
}

/// Runs a fill on a stream that exists.
template <class Fill>
cudaError_t on_stream(cudaStream_t stream, Fill fill) {
  return call([&] { return streams().known(stream) ? fill() : cudaErrorInvalidResourceHandle; });
}

}  // namespace

cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  const void* const site = __builtin_return_address(0);
  return call([&] { return fill_rows(to, bytes, value, bytes, 1, site); });
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  const void* const site = __builtin_return_address(0);
  return on_stream(stream, [&] { return fill_rows(to, bytes, value, bytes, 1, site); });
}

cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  const void* const site = __builtin_return_address(0);
  return call([&] { return fill_rows(to, pitch, value, width, height, site); });
}

cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                              cudaStream_t stream) {
  const void* const site = __builtin_return_address(0);
  return on_stream(stream, [&] { return fill_rows(to, pitch, value, width, height, site); });
}

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  const void* const site = __builtin_return_address(0);
  return call([&] { return fill_volume(to, value, extent, site); });
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream) {
  const void* const site = __builtin_return_address(0);
  return on_stream(stream, [&] { return fill_volume(to, value, extent, site); });
}
