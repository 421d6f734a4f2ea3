// Fills of device memory.
#include "executor/api/call.hpp"
#include "executor/api/graphs/capture.hpp"
#include "executor/api/memory/copy_call.hpp"
#include "executor/api/memory/pitched_regions.hpp"
#include "rafter_simt/api/functions.hpp"

using namespace rafter::simt;

namespace {

using Form = CopyCall::Form;

cudaError_t fill_memory(PitchedRegion to, FillValue value, cudaExtent extent, const CopyCall& call) {
  if (!streams().known(call.stream)) return cudaErrorInvalidResourceHandle;
  const auto node = [&] {
    const auto run = [=](const CopyCall& again) { return fill_memory(to, value, extent, again); };
    const std::size_t width = extent.width / value.bytes;
    return CopyNode{cudaGraphNodeTypeMemset,
                    cudaMemsetParams{to.start, to.pitch, value.bits, value.bytes, width, extent.height}, run};
  };
  if (const auto result = captured(call, node)) return *result;
  const FillTask task(call, observed_type(to.start));
  return fill_region(to, value, extent, call.place);
}

FillValue byte(int value) { return {static_cast<unsigned>(value) & 0xffu, 1}; }

cudaError_t fill_rows(PitchedRegion to, int value, std::size_t width, std::size_t height, const CopyCall& call) {
  if (height > 1 && width > to.pitch) return cudaErrorInvalidValue;
  return fill_memory(to, byte(value), {width, height, 1}, call);
}

cudaError_t fill_volume(const cudaPitchedPtr& to, int value, cudaExtent extent, const CopyCall& call) {
  if (extent.width > to.pitch || (extent.depth > 1 && extent.height > to.ysize)) return cudaErrorInvalidValue;
  return fill_memory({to.ptr, to.pitch, to.pitch * to.ysize}, byte(value), extent, call);
}

}  // namespace

cudaError_t rafter::simt::enqueue_fill(const cudaMemsetParams& of, const void* site) {
  const cudaExtent extent{of.width * of.elementSize, of.height, 1};
  const PitchedRegion to{of.dst, of.height > 1 ? of.pitch : extent.width, 0};
  return fill_memory(to, {of.value, of.elementSize}, extent, {"a memset node", Form::asynchronous, nullptr, site});
}

cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  const CopyCall as{"cudaMemset", Form::synchronous, nullptr, __builtin_return_address(0)};
  return call([&] { return fill_rows({to, bytes, 0}, value, bytes, 1, as); });
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  const CopyCall as{"cudaMemsetAsync", Form::asynchronous, stream, __builtin_return_address(0)};
  return call([&] { return fill_rows({to, bytes, 0}, value, bytes, 1, as); });
}

cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  const CopyCall as{"cudaMemset2D", Form::synchronous, nullptr, __builtin_return_address(0)};
  return call([&] { return fill_rows({to, pitch, 0}, value, width, height, as); });
}

cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                              cudaStream_t stream) {
  const CopyCall as{"cudaMemset2DAsync", Form::asynchronous, stream, __builtin_return_address(0)};
  return call([&] { return fill_rows({to, pitch, 0}, value, width, height, as); });
}

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  const CopyCall as{"cudaMemset3D", Form::synchronous, nullptr, __builtin_return_address(0)};
  return call([&] { return fill_volume(to, value, extent, as); });
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream) {
  const CopyCall as{"cudaMemset3DAsync", Form::asynchronous, stream, __builtin_return_address(0)};
  return call([&] { return fill_volume(to, value, extent, as); });
}
