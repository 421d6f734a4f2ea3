// The loops under the CPU transposes, compiled once per instruction-set level.
#pragma once

#include <cstdint>

#include "library/core/cpu/isa.hpp"
#include "library/core/cpu/streaming_store.hpp"

namespace rafter::transpose_ladder::cpu {

/// A part of a matrix and its destination in the output.
struct TileArgs {
  const void* in;
  std::int64_t in_pitch;  // bytes from row to row
  void* out;
  std::int64_t out_pitch;
  std::int64_t n_rows;  // of the part; n_rows * n_cols elements fit in tile_bytes
  std::int64_t n_cols;
  core::Stores stores;
  const void* next_in;  // the next part, of the same size, or null
};

#if defined(__x86_64__)
inline constexpr std::int64_t tile_bytes = 32 << 10;  // also the size of the buffer
#else
inline constexpr std::int64_t tile_bytes = 16 << 10;
#endif

struct TransposeLoops {
  using Loop = void (*)(const TileArgs&);
  Loop bytes1, bytes2, bytes4, bytes8, bytes16;

  Loop of(std::size_t element_bytes) const {
    switch (element_bytes) {
      case 1: return bytes1;
      case 2: return bytes2;
      case 4: return bytes4;
      case 8: return bytes8;
      default: return bytes16;
    }
  }
};

/// Returns the table of loops. Each transposes a tile in one thread; call streaming_fence() after the last tile.
RAFTER_DECLARE_ISA_TABLE(TransposeLoops, transpose_loops)

}  // namespace rafter::transpose_ladder::cpu
