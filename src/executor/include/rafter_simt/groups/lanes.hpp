// Masks and ranks of the lanes of a warp, and exchange of values of any size between them.
#pragma once

#include <cstddef>

#include "rafter_simt/warp.hpp"

namespace rafter_simt {

constexpr unsigned full_warp = 0xffffffffu;

/// Returns the thread's index in its block. A checked build does not read the runtime's variable, which would be
/// instrumented.
inline unsigned current_thread() {
#ifdef RAFTER_SIMT_CHECKED
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
#else
  return rafter_simt_now.linear;
#endif
}
inline unsigned current_lane() { return current_thread() & 31u; }
inline unsigned threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }

inline unsigned n_lanes(unsigned mask) { return static_cast<unsigned>(__builtin_popcount(mask)); }
inline unsigned lane_rank(unsigned mask, unsigned lane) { return n_lanes(mask & ((1u << lane) - 1u)); }

/// Returns the lanes of the aligned tile of `width` lanes that contains `lane`.
inline unsigned tile_mask(unsigned width, unsigned lane) {
  return width >= 32 ? full_warp : ((1u << width) - 1u) << (lane - lane % width);
}

inline unsigned lane_of_rank(unsigned mask, unsigned rank) {
  while (rank-- > 0) mask &= mask - 1;
  return static_cast<unsigned>(__builtin_ctz(mask));
}

/// Moves each bit of `lanes` to the rank that its lane has in `mask`.
inline unsigned lanes_to_ranks(unsigned lanes, unsigned mask) {
  unsigned ranks = 0;
  for (unsigned rank = 0; mask != 0; ++rank, mask &= mask - 1) ranks |= ((lanes & mask & -mask) != 0 ? 1u : 0u) << rank;
  return ranks;
}

/// Shuffles a value of any size, in words of at most 8 bytes.
template <class T>
T shuffle_any(WarpOp op, unsigned mask, const T& value, int argument, int width) {
  if constexpr (sizeof(T) <= 8) {
    return shuffle(op, mask, value, argument, width);
  } else {
    T result = value;
    unsigned char* bytes = reinterpret_cast<unsigned char*>(&result);
    for (std::size_t begin = 0; begin < sizeof(T); begin += 8) {
      const std::size_t n = sizeof(T) - begin < 8 ? sizeof(T) - begin : 8;
      std::uint64_t word = 0;
      __builtin_memcpy(&word, bytes + begin, n);
      word = converge(op, mask, word, argument, width);
      __builtin_memcpy(bytes + begin, &word, n);
    }
    return result;
  }
}

/// The values of the lanes of a mask, indexed by lane.
template <class T>
class LaneValues {
 public:
  LaneValues(unsigned mask, const T& mine) {
    static_assert(sizeof(T) <= 256, "values exchanged between lanes must have at most 256 bytes");
    rafter_simt_warp_exchange(mask, &mine, sizeof(T), bytes_);
  }
  T& operator[](unsigned lane) { return reinterpret_cast<T*>(bytes_)[lane]; }

 private:
  alignas(T) unsigned char bytes_[32 * sizeof(T)];
};

}  // namespace rafter_simt
