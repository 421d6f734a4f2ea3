// Boxes of bytes in pitched memory: what 1-D, 2-D and 3-D copies and fills come down to.
#pragma once

#include <cstddef>

#include "rafter_simt/api/types.hpp"

namespace rafter::simt {

/// Row y of slice z begins at start + z * slice + y * pitch.
struct Box {
  void* start;
  std::size_t pitch, slice;
};
struct ConstBox {
  const void* start;
  std::size_t pitch, slice;
};

/// Checks both sides and copies; nothing is copied on an error. The checkers hear of what is there and of what leaves
/// an allocation.
cudaError_t copy_box(Box to, ConstBox from, cudaExtent extent, cudaMemcpyKind kind, const void* site);

/// What a fill repeats: 1, 2 or 4 bytes.
struct FillValue {
  unsigned bits, bytes;
};
cudaError_t fill_box(Box to, FillValue value, cudaExtent extent, const void* site);

}  // namespace rafter::simt
