#include "executor/api/memory/pitched_regions.hpp"

#include <cstring>

#include "executor/api/memory/extents.hpp"
#include "executor/memory/memory.hpp"

namespace rafter::simt {
namespace {

bool empty(cudaExtent extent) { return extent.width == 0 || extent.height == 0 || extent.depth == 0; }

/// Computes the distance from the first byte of a region to the end of its last one. Returns false on overflow.
bool span_bytes(std::size_t pitch, std::size_t slice, cudaExtent extent, std::size_t* bytes) {
  std::size_t rows = 0, slices = 0;
  return !__builtin_mul_overflow(extent.height - 1, pitch, &rows) &&
         !__builtin_mul_overflow(extent.depth - 1, slice, &slices) && !__builtin_add_overflow(rows, slices, bytes) &&
         !__builtin_add_overflow(*bytes, extent.width, bytes);
}

/// Joins rows, and slices, without gaps between them into one row.
cudaExtent joined(cudaExtent extent, std::size_t pitch, std::size_t slice) {
  if (pitch != extent.width) return extent;
  extent = {extent.width * extent.height, 1, extent.depth};
  return extent.depth == 1 || slice == extent.width ? cudaExtent{extent.width * extent.depth, 1, 1} : extent;
}

template <class Visit>
void for_each_row(cudaExtent extent, Visit visit) {
  for (std::size_t z = 0; z < extent.depth; ++z)
    for (std::size_t y = 0; y < extent.height; ++y) visit(y, z);
}

std::byte* row(const PitchedRegion& region, std::size_t y, std::size_t z) {
  return static_cast<std::byte*>(region.start) + z * region.slice + y * region.pitch;
}

const std::byte* row(const ConstPitchedRegion& region, std::size_t y, std::size_t z) {
  return static_cast<const std::byte*>(region.start) + z * region.slice + y * region.pitch;
}

void fill_row(std::byte* row, FillValue value, std::size_t bytes) {
  if (value.bytes == 1) {
    std::memset(row, static_cast<int>(value.bits), bytes);
  } else {
    for (std::size_t at = 0; at < bytes; at += value.bytes) std::memcpy(row + at, &value.bits, value.bytes);
  }
}

}  // namespace

cudaError_t copy_region(PitchedRegion to, ConstPitchedRegion from, cudaExtent extent, cudaMemcpyKind kind,
                        const void* site) {
  const Direction sides = direction(kind);
  if (!sides.valid) return cudaErrorInvalidMemcpyDirection;
  if (empty(extent)) return cudaSuccess;
  std::size_t to_bytes = 0, from_bytes = 0;
  if (!span_bytes(to.pitch, to.slice, extent, &to_bytes) || !span_bytes(from.pitch, from.slice, extent, &from_bytes))
    return cudaErrorInvalidValue;
  const Reach to_reach = reach(to.start, to_bytes, sides.to);
  const Reach from_reach = reach(from.start, from_bytes, sides.from);
  if (to_reach == Reach::wrong_side || from_reach == Reach::wrong_side) return cudaErrorInvalidValue;

  const bool same_shape = to.pitch == from.pitch && to.slice == from.slice;
  const cudaExtent rows = same_shape ? joined(extent, to.pitch, to.slice) : extent;
  const bool fits = to_reach == Reach::fits && from_reach == Reach::fits;
  for_each_row(rows, [&](std::size_t y, std::size_t z) {
    memory().copied(row(to, y, z), row(from, y, z), rows.width, site);
    if (fits) std::memmove(row(to, y, z), row(from, y, z), rows.width);
  });
  return fits ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t fill_region(PitchedRegion to, FillValue value, cudaExtent extent, const void* site) {
  if (empty(extent)) return cudaSuccess;
  std::size_t bytes = 0;
  if (!span_bytes(to.pitch, to.slice, extent, &bytes)) return cudaErrorInvalidValue;
  const Reach to_reach = reach(to.start, bytes, MemorySide::device);
  if (to_reach == Reach::wrong_side) return cudaErrorInvalidValue;
  const cudaExtent rows = joined(extent, to.pitch, to.slice);
  const bool fits = to_reach == Reach::fits;
  for_each_row(rows, [&](std::size_t y, std::size_t z) {
    memory().filled(row(to, y, z), rows.width, site);
    if (fits) fill_row(row(to, y, z), value, rows.width);
  });
  return fits ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace rafter::simt
