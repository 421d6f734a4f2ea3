// Pieces and units. A piece is what one access moves: 1 to 16 bytes, held as whole 32-bit words. A unit is 4 bytes of
// one column, or one element if elements are larger: the smallest access that uses the full bandwidth of shared memory.
#pragma once

#include <cstdint>

#include "library/ptx/device_build.cuh"
#include "transpose/transpose_rung.hpp"

namespace rafter::transpose_ladder::RAFTER_BACKEND {

/// Returns the bitwise or of the numbers that determine the alignment of a matrix's rows: its address, the bytes per
/// row and the bytes from row to row.
template <class T>
std::uintptr_t alignment_bits(const MatrixView<T>& matrix) {
  return reinterpret_cast<std::uintptr_t>(matrix.data) |
         static_cast<std::uintptr_t>((matrix.n_cols | matrix.row_stride) * std::int64_t{sizeof(T)});
}

template <int Bytes>
struct Access;
template <>
struct Access<1> {
  using type = unsigned char;
};
template <>
struct Access<2> {
  using type = unsigned short;
};
template <>
struct Access<4> {
  using type = unsigned;
};
template <>
struct Access<8> {
  using type = uint2;
};
template <>
struct Access<16> {
  using type = uint4;
};

/// A piece in registers. Less than four bytes occupy the low bytes of the word.
template <int Bytes>
struct Piece {
  unsigned word[(Bytes + 3) / 4];
};

template <int Bytes>
__device__ Piece<Bytes> load_piece(const void* from) {
  const auto v = *static_cast<const typename Access<Bytes>::type*>(from);
  if constexpr (Bytes == 16) return {v.x, v.y, v.z, v.w};
  if constexpr (Bytes == 8) return {v.x, v.y};
  if constexpr (Bytes <= 4) return {v};
}

template <int Bytes>
__device__ void store_piece(void* to, const Piece<Bytes>& piece) {
  using Type = typename Access<Bytes>::type;
  const unsigned* w = piece.word;
  if constexpr (Bytes == 16) *static_cast<Type*>(to) = make_uint4(w[0], w[1], w[2], w[3]);
  if constexpr (Bytes == 8) *static_cast<Type*>(to) = make_uint2(w[0], w[1]);
  if constexpr (Bytes <= 4) *static_cast<Type*>(to) = static_cast<Type>(w[0]);
}

inline constexpr int min_unit_bytes = 4;

/// The layout of elements of `Bytes` bytes in units.
template <int Bytes>
struct Units {
  static constexpr int bytes = Bytes < min_unit_bytes ? min_unit_bytes : Bytes;
  static constexpr int rows = bytes / Bytes;  // elements per unit, one from each of as many rows
  static constexpr int words = bytes / 4;

  /// Returns the unit of column `col` from the pieces of `rows` consecutive rows; `col` is a compile-time constant
  /// after unrolling.
  template <int Width>
  static __device__ Piece<bytes> of_column(const Piece<Width> (&row)[rows], int col) {
    Piece<bytes> unit;
    if constexpr (Bytes == 1) {
      const int w = col / 4;
      const unsigned pair = col % 4 < 2 ? 0x5140u : 0x7362u;
      const unsigned upper = __byte_perm(row[0].word[w], row[1].word[w], pair);  // two columns of two rows
      const unsigned lower = __byte_perm(row[2].word[w], row[3].word[w], pair);
      unit.word[0] = __byte_perm(upper, lower, col % 2 == 0 ? 0x5410u : 0x7632u);
    } else if constexpr (Bytes == 2) {
      unit.word[0] = __byte_perm(row[0].word[col / 2], row[1].word[col / 2], col % 2 == 0 ? 0x5410u : 0x7632u);
    } else {
#pragma unroll
      for (int i = 0; i < words; ++i) unit.word[i] = row[0].word[col * words + i];
    }
    return unit;
  }
};

}  // namespace rafter::transpose_ladder::RAFTER_BACKEND
