// Which memory an API call may touch: on which side it lies, and whether all of it is there.
#pragma once

#include <cstddef>

#include "rafter_simt/api/types.hpp"

namespace rafter::simt {

enum class MemorySide { host, device, either };

enum class Reach {
  fits,
  wrong_side,  // plain host memory where the device needs its own, device memory where the host needs its own, or null
  outside      // leaves its allocation, lies between two, or the allocation was freed: the checkers hear of the access
};

/// Managed, pinned and registered memory belongs to both sides.
Reach reach(const void* address, std::size_t bytes, MemorySide side);

/// What cudaPointerGetAttributes says: pinned memory is the host's, pageable memory nobody's.
cudaMemoryType memory_type(const void* address);

struct Direction {
  MemorySide to, from;
  bool valid;
};
Direction direction(cudaMemcpyKind kind);

}  // namespace rafter::simt
