// Arrays divided into tiles that are copied to shared memory in 16-byte pieces, for any alignment of the array.
#pragma once

#include <cstdint>

#include "library/core/arithmetic.hpp"
#include "library/core/cuda/reduce.cuh"
#include "library/ptx/async_copy.cuh"

namespace rafter::core {
inline namespace RAFTER_BACKEND {

/// An array of `n` elements in tiles. Tiles begin at multiples of 16 bytes, the first one `shift` elements before the
/// array.
template <class T>
struct TiledArray {
  const T* data;  // [n]
  std::int64_t n;
  int shift;

  TiledArray(const T* array, std::int64_t size)
      : data(array),
        n(size),
        shift(static_cast<int>(reinterpret_cast<std::uintptr_t>(array) / sizeof(T) % Vector<T>::size)) {}

  std::int64_t n_tiles(std::int64_t tile_elements) const { return n == 0 ? 0 : ceil_div(n + shift, tile_elements); }
};

/// The elements that a block processes at a time: `Policy::vectors` 16-byte vectors per thread. Each warp has a
/// contiguous segment; vector k of a lane is vector 32 k + lane of the segment.
template <class Policy, class T>
struct Tile {
  static constexpr int width = Vector<T>::size;
  static constexpr int segment_vectors = Policy::vectors * warp_size;
  static constexpr int segment_elements = segment_vectors * width;
  static constexpr int n_warps = Policy::threads / warp_size;
  static constexpr int n_vectors = segment_vectors * n_warps;
  static constexpr int elements = n_vectors * width;

  /// Returns the index of the tile's first element; negative for the first tile of a misaligned array.
  __device__ static std::int64_t first(const TiledArray<T>& array, std::int64_t tile) {
    return tile * elements - array.shift;
  }
  __device__ static bool is_full(const TiledArray<T>& array, std::int64_t tile) {
    return first(array, tile) >= 0 && first(array, tile) + elements <= array.n;
  }

  /// Starts to copy the lanes' vectors of a segment; elements outside of the array become zeros.
  __device__ static void start_copy(const TiledArray<T>& array, std::int64_t tile, int warp, Vector<T>* segment) {
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    const std::int64_t at = first(array, tile) + warp * segment_elements + lane * width;
    if (is_full(array, tile)) {
#pragma unroll
      for (int k = 0; k < Policy::vectors; ++k)
        ptx::copy_async<16>(&segment[k * warp_size + lane], array.data + at + k * (warp_size * width));
      return;
    }
    for (int k = 0; k < Policy::vectors; ++k) {
      Vector<T> v;
#pragma unroll
      for (int i = 0; i < width; ++i) {
        const std::int64_t element = at + k * (warp_size * width) + i;
        v.lane[i] = element >= 0 && element < array.n ? array.data[element] : T{0};
      }
      segment[k * warp_size + lane] = v;
    }
  }
};

}  // namespace RAFTER_BACKEND
}  // namespace rafter::core
