// Checks the memory of an API call: which side it belongs to, and whether it lies within one allocation.
#pragma once

#include <cstddef>

#include "rafter_simt/api/types.hpp"

namespace rafter::simt {

enum class MemorySide { host, device, either };

enum class Reach {
  fits,
  wrong_side,  // host memory where device memory is required, or the reverse, or null
  outside      // not within one live allocation; the checkers report the access
};

/// Checks whether `bytes` at `address` are accessible on `side`. Managed, pinned and registered memory belongs to both.
Reach reach(const void* address, std::size_t bytes, MemorySide side);

/// Returns the type that cudaPointerGetAttributes reports: pinned memory is host memory, pageable memory unregistered.
cudaMemoryType memory_type(const void* address);

struct Direction {
  MemorySide to, from;
  bool valid;
};
Direction direction(cudaMemcpyKind kind);

}  // namespace rafter::simt
