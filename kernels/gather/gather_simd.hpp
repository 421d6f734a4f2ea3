// The loops under the CPU gather, compiled once per instruction-set level.
#pragma once

#include <cstdint>

#include "library/core/cpu/isa.hpp"
#include "library/core/cpu/streaming_store.hpp"

namespace rafter::gather_ladder::cpu {

/// The arguments of a loop; elements and indices have the sizes that the loop is for.
struct LoopArgs {
  const void* table;
  std::int64_t n_table;
  const void* indices;
  std::int64_t n;  // indices that may be prefetched
  void* out;
  bool trusted;
  core::Stores stores;
};

struct GatherLoops {
  /// Gathers indices [first, last), where out[first] starts a 64-byte line, group by group. Stops at a group with a bad
  /// index, unless indices are trusted, or when no whole group is left; returns where it stopped.
  using Loop = std::int64_t (*)(const LoopArgs&, std::int64_t first, std::int64_t last);
  std::int64_t group;
  Loop loops[3][2];  // elements of 2, 4 and 8 bytes, indices of 4 and 8 bytes

  Loop of(std::size_t element_bytes, std::size_t index_bytes) const {
    return loops[element_bytes / 4][index_bytes / 4 - 1];
  }
};

/// Returns the table of loops, each for one thread; call streaming_fence() after the last group.
RAFTER_DECLARE_ISA_TABLE(GatherLoops, gather_loops)

}  // namespace rafter::gather_ladder::cpu
