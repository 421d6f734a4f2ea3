// Three-dimensional regions of bytes in pitched memory, the operands of all copies and fills.
#pragma once

#include <cstddef>

#include "rafter_simt/api/types.hpp"

namespace rafter::simt {

/// Pitched memory: row y of slice z begins at start + z * slice + y * pitch.
struct PitchedRegion {
  void* start;
  std::size_t pitch, slice;
};
struct ConstPitchedRegion {
  const void* start;
  std::size_t pitch, slice;
};

/// Checks both sides and copies; nothing is copied on an error. Notifies the checkers, also of accesses outside of an
/// allocation.
cudaError_t copy_region(PitchedRegion to, ConstPitchedRegion from, cudaExtent extent, cudaMemcpyKind kind,
                        const void* site);

/// The pattern of a fill: 1, 2 or 4 bytes.
struct FillValue {
  unsigned bits, bytes;
};
cudaError_t fill_region(PitchedRegion to, FillValue value, cudaExtent extent, const void* site);

}  // namespace rafter::simt
