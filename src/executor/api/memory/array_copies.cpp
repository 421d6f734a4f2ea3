// Copies to, from and between CUDA arrays. Offsets along x are in bytes; in cudaMemcpy3D (copies.cpp) they are in
// texels.
#include "executor/api/call.hpp"
#include "executor/api/memory/arrays.hpp"
#include "executor/api/memory/copy_call.hpp"

using namespace rafter::simt;

namespace {

using Form = CopyCall::Form;

/// A position in an array, in bytes and rows.
struct InArray {
  cudaArray_const_t array;
  std::size_t x, y;
};

ConstPitchedRegion constant(const PitchedRegion& region) { return {region.start, region.pitch, region.slice}; }

/// rows: `width` bytes of `height` rows; bytes: one range that may continue in the following rows.
enum class Form2D : std::uint8_t { rows, bytes };

cudaError_t locate(const InArray& at, cudaExtent extent, Form2D form, PitchedRegion* region) {
  const cudaArray* const array = arrays().find(at.array);
  if (array == nullptr) return cudaErrorInvalidResourceHandle;
  if (form == Form2D::rows)
    return region_of(*array, {at.x, at.y, 0}, extent, region) ? cudaSuccess : cudaErrorInvalidValue;
  if (!region_of(*array, {at.x, at.y, 0}, {0, 1, 1}, region)) return cudaErrorInvalidValue;
  const bool fits = extent.width <= array->level.slice - at.y * array->level.pitch - at.x;
  return fits ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t copy_to(const InArray& to, ConstPitchedRegion from, cudaExtent extent, Form2D form, cudaMemcpyKind kind,
                    const CopyCall& call) {
  PitchedRegion region{};
  if (form == Form2D::rows && extent.width > from.pitch) return cudaErrorInvalidPitchValue;
  const cudaError_t error = locate(to, extent, form, &region);
  return error == cudaSuccess ? copy(region, from, extent, kind, call) : error;
}

cudaError_t copy_from(PitchedRegion to, const InArray& from, cudaExtent extent, Form2D form, cudaMemcpyKind kind,
                      const CopyCall& call) {
  PitchedRegion region{};
  if (form == Form2D::rows && extent.width > to.pitch) return cudaErrorInvalidPitchValue;
  const cudaError_t error = locate(from, extent, form, &region);
  return error == cudaSuccess ? copy(to, constant(region), extent, kind, call) : error;
}

cudaError_t copy_between(const InArray& to, const InArray& from, cudaExtent extent, Form2D form, cudaMemcpyKind kind,
                         const CopyCall& call) {
  PitchedRegion region{};
  const cudaError_t error = locate(from, extent, form, &region);
  return error == cudaSuccess ? copy_to(to, constant(region), extent, form, kind, call) : error;
}

}  // namespace

cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x_bytes, std::size_t y, const void* from, std::size_t bytes,
                              cudaMemcpyKind kind) {
  const CopyCall as{"cudaMemcpyToArray", Form::synchronous, nullptr, __builtin_return_address(0)};
  return call([&] { return copy_to({to, x_bytes, y}, {from, bytes, bytes}, {bytes, 1, 1}, Form2D::bytes, kind, as); });
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, std::size_t x_bytes, std::size_t y, const void* from,
                                   std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  const CopyCall as{"cudaMemcpyToArrayAsync", Form::asynchronous, stream, __builtin_return_address(0)};
  return call([&] { return copy_to({to, x_bytes, y}, {from, bytes, bytes}, {bytes, 1, 1}, Form2D::bytes, kind, as); });
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, std::size_t x_bytes, std::size_t y, std::size_t bytes,
                                cudaMemcpyKind kind) {
  const CopyCall as{"cudaMemcpyFromArray", Form::synchronous, nullptr, __builtin_return_address(0)};
  return call([&] {
    return copy_from({to, bytes, bytes}, {from, x_bytes, y}, {bytes, 1, 1}, Form2D::bytes, kind, as);
  });
}

cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, std::size_t x_bytes, std::size_t y,
                                     std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  const CopyCall as{"cudaMemcpyFromArrayAsync", Form::asynchronous, stream, __builtin_return_address(0)};
  return call([&] {
    return copy_from({to, bytes, bytes}, {from, x_bytes, y}, {bytes, 1, 1}, Form2D::bytes, kind, as);
  });
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, std::size_t to_x_bytes, std::size_t to_y, cudaArray_const_t from,
                                   std::size_t from_x_bytes, std::size_t from_y, std::size_t bytes,
                                   cudaMemcpyKind kind) {
  const CopyCall as{"cudaMemcpyArrayToArray", Form::synchronous, nullptr, __builtin_return_address(0)};
  return call([&] {
    return copy_between({to, to_x_bytes, to_y}, {from, from_x_bytes, from_y}, {bytes, 1, 1}, Form2D::bytes, kind, as);
  });
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x_bytes, std::size_t y, const void* from,
                                std::size_t from_pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  const CopyCall as{"cudaMemcpy2DToArray", Form::synchronous, nullptr, __builtin_return_address(0)};
  return call([&] {
    return copy_to({to, x_bytes, y}, {from, from_pitch, 0}, {width, height, 1}, Form2D::rows, kind, as);
  });
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x_bytes, std::size_t y, const void* from,
                                     std::size_t from_pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  const CopyCall as{"cudaMemcpy2DToArrayAsync", Form::asynchronous, stream, __builtin_return_address(0)};
  return call([&] {
    return copy_to({to, x_bytes, y}, {from, from_pitch, 0}, {width, height, 1}, Form2D::rows, kind, as);
  });
}

cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t to_pitch, cudaArray_const_t from, std::size_t x_bytes,
                                  std::size_t y, std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  const CopyCall as{"cudaMemcpy2DFromArray", Form::synchronous, nullptr, __builtin_return_address(0)};
  return call([&] {
    return copy_from({to, to_pitch, 0}, {from, x_bytes, y}, {width, height, 1}, Form2D::rows, kind, as);
  });
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t to_pitch, cudaArray_const_t from, std::size_t x_bytes,
                                       std::size_t y, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  const CopyCall as{"cudaMemcpy2DFromArrayAsync", Form::asynchronous, stream, __builtin_return_address(0)};
  return call([&] {
    return copy_from({to, to_pitch, 0}, {from, x_bytes, y}, {width, height, 1}, Form2D::rows, kind, as);
  });
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t to_x_bytes, std::size_t to_y, cudaArray_const_t from,
                                     std::size_t from_x_bytes, std::size_t from_y, std::size_t width,
                                     std::size_t height, cudaMemcpyKind kind) {
  const CopyCall as{"cudaMemcpy2DArrayToArray", Form::synchronous, nullptr, __builtin_return_address(0)};
  return call([&] {
    return copy_between({to, to_x_bytes, to_y}, {from, from_x_bytes, from_y}, {width, height, 1}, Form2D::rows, kind,
                        as);
  });
}
