// The loops under the CPU gather, compiled per instruction-set level.
#pragma once

#include <cstdint>

#include "library/core/cpu/isa.hpp"
#include "library/core/cpu/streaming_store.hpp"

namespace rafter::gather_ladder::cpu {

/// Elements and indices are of the sizes that a loop is for.
struct LoopArgs {
  const void* table;
  std::int64_t n_table;
  const void* indices;
  std::int64_t n;  // indices that may be asked for
  void* out;
  bool trusted;
  core::Stores stores;
};

struct GatherLoops {
  /// Gathers indices [first, last), where out[first] begins a line of 64 bytes, group by group until one of a group is
  /// bad, unless they are trusted, or no group is left; returns where it stopped.
  using Loop = std::int64_t (*)(const LoopArgs&, std::int64_t first, std::int64_t last);
  std::int64_t group;
  Loop loops[3][2];  // elements of 2, 4 and 8 bytes, indices of 4 and 8 bytes

  Loop of(std::size_t element_bytes, std::size_t index_bytes) const {
    return loops[element_bytes / 4][index_bytes / 4 - 1];
  }
};

/// One thread; a streaming_fence() must come after the last.
RAFTER_DECLARE_ISA_TABLE(GatherLoops, gather_loops)

}  // namespace rafter::gather_ladder::cpu
