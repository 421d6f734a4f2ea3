#include "executor/api/memory/arrays.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "executor/api/call.hpp"
#include "executor/api/graphs/capture.hpp"
#include "executor/memory/allocation_findings.hpp"
#include "executor/memory/memory.hpp"

namespace rafter::simt {
namespace {

std::optional<TextureShape> shape_of(cudaExtent extent, unsigned flags) {
  const bool is_layered = (flags & cudaArrayLayered) != 0, is_cube = (flags & cudaArrayCubemap) != 0;
  if (extent.width == 0) return std::nullopt;
  if (is_cube) {
    const bool fits = extent.width == extent.height && (is_layered ? extent.depth % 6 == 0 : extent.depth == 6);
    if (!fits || extent.depth == 0) return std::nullopt;
    return is_layered ? TextureShape::cube_layered : TextureShape::cube;
  }
  if (is_layered) {
    if (extent.depth == 0) return std::nullopt;
    return extent.height == 0 ? TextureShape::one_layered : TextureShape::two_layered;
  }
  if (extent.depth > 0 && extent.height == 0) return std::nullopt;
  return extent.depth > 0 ? TextureShape::three : extent.height > 0 ? TextureShape::two : TextureShape::one;
}

/// Sets the shape and texel format of an array. Returns false if CUDA does not support such an array.
bool shape_array(cudaArray* array) {
  const auto format = format_of(array->description);
  const auto shape = shape_of(array->extent, array->flags);
  constexpr unsigned known = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather |
                             cudaArrayColorAttachment;
  if (!format || !shape || (array->flags & ~known) != 0) return false;
  if ((array->flags & cudaArrayTextureGather) != 0 && *shape != TextureShape::two) return false;
  const cudaExtent full{array->extent.width, std::max<std::size_t>(array->extent.height, 1),
                        std::max<std::size_t>(array->extent.depth, 1)};
  std::size_t pitch = 0, slice = 0, bytes = 0;
  if (__builtin_mul_overflow(full.width, std::size_t{format->bytes()}, &pitch) ||
      __builtin_mul_overflow(pitch, full.height, &slice) || __builtin_mul_overflow(slice, full.depth, &bytes))
    return false;
  array->format = *format;
  array->shape = *shape;
  array->level = {nullptr,
                  static_cast<std::int64_t>(full.width),
                  static_cast<std::int64_t>(full.height),
                  static_cast<std::int64_t>(full.depth),
                  pitch,
                  slice};
  return true;
}

std::size_t bytes_of(const cudaArray& array) { return array.level.slice * static_cast<std::size_t>(array.level.depth); }

cudaError_t fill_in(cudaArray* array, const void* site) {
  if (!shape_array(array)) return cudaErrorInvalidValue;
  array->level.base = static_cast<std::byte*>(memory().allocate(MemoryKind::device, bytes_of(*array), site));
  array->live = array->level.base != nullptr;
  return array->live ? cudaSuccess : cudaErrorMemoryAllocation;
}

void release(cudaArray* array, const void* site) {
  const Allocation* const memory_of = memory().find(array->level.base);
  if (!array->live && memory_of && memory_of->live)
    return report_bad_free(nullptr, site);  // the memory belongs to another allocation by now
  array->live = false;
  memory().release(array->level.base, MemoryKind::device, site);
}

cudaError_t allocate_array(cudaArray_t* to, const cudaChannelFormatDesc* format, cudaExtent extent, unsigned flags,
                           const void* site) {
  if (to == nullptr || format == nullptr) return cudaErrorInvalidValue;
  if (const cudaError_t refused = unsafe_in_capture(); refused != cudaSuccess) return refused;
  auto array = std::make_unique<cudaArray>(cudaArray{.description = *format, .extent = extent, .flags = flags});
  const cudaError_t error = fill_in(array.get(), site);
  return error == cudaSuccess ? store_result(to, arrays().add(std::move(array))) : error;
}

cudaExtent halved(cudaExtent extent, unsigned level, unsigned flags) {
  const auto part = [level](std::size_t n) { return n == 0 ? 0 : std::max<std::size_t>(n >> level, 1); };
  const bool has_slices = (flags & (cudaArrayLayered | cudaArrayCubemap)) == 0;
  return {part(extent.width), part(extent.height), has_slices ? part(extent.depth) : extent.depth};
}

cudaError_t allocate_levels(cudaMipmappedArray* all, const cudaArray& first, unsigned n_levels, const void* site) {
  for (unsigned level = 0; level < n_levels; ++level) {
    auto part = std::make_unique<cudaArray>(first);
    part->extent = halved(first.extent, level, first.flags);
    part->is_part = true;
    const cudaError_t error = fill_in(part.get(), site);
    if (error != cudaSuccess) {
      for (const auto& made : all->levels) release(made.get(), site);
      return error;
    }
    all->levels.push_back(std::move(part));
  }
  all->live = true;
  return cudaSuccess;
}

cudaError_t allocate_mipmapped(cudaMipmappedArray_t* to, const cudaArray& first, unsigned n_levels, const void* site) {
  if (const cudaError_t refused = unsafe_in_capture(); refused != cudaSuccess) return refused;
  const bool has_slices = (first.flags & (cudaArrayLayered | cudaArrayCubemap)) == 0;
  const std::size_t longest =
      std::max({first.extent.width, first.extent.height, has_slices ? first.extent.depth : std::size_t{1}});
  const auto most = static_cast<unsigned>(std::bit_width(longest));
  auto all = std::make_unique<cudaMipmappedArray>();
  const cudaError_t error = allocate_levels(all.get(), first, std::clamp(n_levels, 1u, most), site);
  return error == cudaSuccess ? store_result(to, arrays().add(std::move(all))) : error;
}

}  // namespace

Arrays& arrays() {
  static Arrays& all = *new Arrays;  // outlives the program's own static objects
  return all;
}

cudaArray_t Arrays::add(std::unique_ptr<cudaArray> array) {
  const std::lock_guard lock(mutex_);
  cudaArray* const made = array.get();
  all_[made] = std::move(array);
  return made;
}

cudaMipmappedArray_t Arrays::add(std::unique_ptr<cudaMipmappedArray> array) {
  const std::lock_guard lock(mutex_);
  cudaMipmappedArray* const made = array.get();
  mipmapped_[made] = std::move(array);
  return made;
}

cudaArray* Arrays::find(cudaArray_const_t array) const {
  const std::lock_guard lock(mutex_);
  if (const auto at = all_.find(array); at != all_.end()) return at->second.get();
  for (const auto& [key, mipmapped] : mipmapped_) {
    for (const auto& level : mipmapped->levels) {
      if (level.get() == array) return level.get();
    }
  }
  return nullptr;
}

cudaMipmappedArray* Arrays::find(cudaMipmappedArray_const_t array) const {
  const std::lock_guard lock(mutex_);
  const auto at = mipmapped_.find(array);
  return at == mipmapped_.end() ? nullptr : at->second.get();
}

bool region_of(const cudaArray& array, cudaPos at, cudaExtent extent, PitchedRegion* region) {
  const Level& level = array.level;
  const auto fits = [](std::size_t first, std::size_t n, std::size_t size) {
    return first <= size && n <= size - first;
  };
  if (!fits(at.x, extent.width, level.pitch) || !fits(at.y, extent.height, static_cast<std::size_t>(level.height)) ||
      !fits(at.z, extent.depth, static_cast<std::size_t>(level.depth)))
    return false;
  *region = {level.base + at.z * level.slice + at.y * level.pitch + at.x, level.pitch, level.slice};
  return true;
}

}  // namespace rafter::simt

using namespace rafter::simt;

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, std::size_t width,
                            std::size_t height, unsigned flags) {
  const void* const site = __builtin_return_address(0);
  return call([&] { return allocate_array(array, format, {width, height, 0}, flags, site); });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned flags) {
  const void* const site = __builtin_return_address(0);
  return call([&] { return allocate_array(array, format, extent, flags, site); });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  const void* const site = __builtin_return_address(0);
  if (rafter_simt_now.leaving != 0) return cudaSuccess;
  refuse_inside_kernels();
  if (array == nullptr) return errors().report(cudaSuccess);
  if (const cudaError_t refused = unsafe_in_capture(); refused != cudaSuccess) return errors().report(refused);
  cudaArray* const known = arrays().find(array);
  if (known == nullptr || known->is_part) {
    report_bad_free(nullptr, site);
    return errors().report(cudaErrorInvalidValue);
  }
  const bool was_live = known->live;
  release(known, site);
  return errors().report(was_live ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags, cudaArray_t array) {
  return call([&] {
    const cudaArray* const known = arrays().find(array);
    if (known == nullptr || !known->live) return cudaErrorInvalidResourceHandle;
    if (format) *format = known->description;
    if (extent) *extent = known->extent;
    if (flags) *flags = known->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  return call([&] {
    const cudaArray* const known = arrays().find(array);
    if (known == nullptr || !known->live) return cudaErrorInvalidResourceHandle;
    return store_result(format, known->description);
  });
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* format,
                                     cudaExtent extent, unsigned n_levels, unsigned flags) {
  const void* const site = __builtin_return_address(0);
  return call([&] {
    if (array == nullptr || format == nullptr) return cudaErrorInvalidValue;
    return allocate_mipmapped(array, {.description = *format, .extent = extent, .flags = flags}, n_levels, site);
  });
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level, cudaMipmappedArray_const_t array, unsigned number) {
  return call([&] {
    const cudaMipmappedArray* const known = arrays().find(array);
    if (known == nullptr || !known->live) return cudaErrorInvalidResourceHandle;
    if (number >= known->levels.size()) return cudaErrorInvalidValue;
    return store_result(level, known->levels[number].get());
  });
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  const void* const site = __builtin_return_address(0);
  if (rafter_simt_now.leaving != 0) return cudaSuccess;
  refuse_inside_kernels();
  if (array == nullptr) return errors().report(cudaSuccess);
  if (const cudaError_t refused = unsafe_in_capture(); refused != cudaSuccess) return errors().report(refused);
  cudaMipmappedArray* const known = arrays().find(array);
  if (known == nullptr) {
    report_bad_free(nullptr, site);
    return errors().report(cudaErrorInvalidValue);
  }
  const bool was_live = known->live;
  known->live = false;
  for (const auto& level : known->levels) release(level.get(), site);
  return errors().report(was_live ? cudaSuccess : cudaErrorInvalidValue);
}
