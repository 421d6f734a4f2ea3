// What a filter writes for a kept element. A warp first compacts its segment of a tile to the marks of the kept
// elements, each in place of an element; when the output index of the segment is known, it writes what the marks stand
// for.
//
//   output        mark                        written
//   WriteElements the element                 the mark
//   WriteColumns  its index in the segment    of each column, the element at the index
#pragma once

#include <bit>
#include <span>

#include "filter/filter_kept_columns.hpp"
#include "library/core/bits.hpp"
#include "library/core/cuda/reduce.cuh"

namespace rafter::filter_ladder {
inline namespace RAFTER_BACKEND {

template <class T>
struct WriteElements {
  T* out;

  __device__ static T mark(T x, int) { return x; }
  /// Writes n elements to out[at, at + n). Collective: all lanes of the warp.
  __device__ void write(const T* segment, int n, std::int64_t at, std::int64_t /*first*/) const {
    T* to = out + at;
#pragma unroll 4
    for (int i = static_cast<int>(threadIdx.x) % core::warp_size; i < n; i += core::warp_size) to[i] = segment[i];
  }
};

template <class T>
struct WriteColumns {
  KeptColumns columns;

  __device__ static T mark(T, int i) { return std::bit_cast<T>(static_cast<core::BitsOf<T>>(i)); }
  /// Writes n elements of each column to [at, at + n) of its output; the marks count from element `first`. Only kept
  /// elements of a column are read. Collective: all lanes of the warp.
  __device__ void write(const T* segment, int n, std::int64_t at, std::int64_t first) const {
    for (int c = 0; c < columns.n; ++c) {
      const KeptColumn& column = columns.column[c];
      switch (column.element_bytes) {
        case 2: write_column<std::uint16_t>(column, segment, n, at, first); break;
        case 4: write_column<std::uint32_t>(column, segment, n, at, first); break;
        default: write_column<std::uint64_t>(column, segment, n, at, first); break;
      }
    }
  }

 private:
  template <class Bits>
  __device__ static void write_column(const KeptColumn& column, const T* segment, int n, std::int64_t at,
                                      std::int64_t first) {
    const auto* in = static_cast<const Bits*>(column.in);
    auto* out = static_cast<Bits*>(column.out) + at;
    const bool is_index = column.in == nullptr;
#pragma unroll 8
    for (int i = static_cast<int>(threadIdx.x) % core::warp_size; i < n; i += core::warp_size) {
      const std::int64_t index = first + static_cast<std::int64_t>(std::bit_cast<core::BitsOf<T>>(segment[i]));
      out[i] = is_index ? static_cast<Bits>(index) : in[index];
    }
  }
};

template <class T>
WriteElements<T> kept_output(std::span<T> out) {
  return {out.data()};
}
template <class T>
WriteColumns<T> kept_output(const KeptColumns& columns) {
  return {columns};
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::filter_ladder
