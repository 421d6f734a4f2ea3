// Fragment layouts: the matrix element that a register of a lane holds, for the operands and accumulators of mma.sync
// (library/ptx/matrix.cuh) and wgmma (library/ptx/wgmma.cuh).
//
// All functions are index arithmetic on their arguments. `lane` is the thread's number within its warp, 0 to 31;
// `thread` is its number within its warpgroup, 0 to 127. Lanes 4 g to 4 g + 3 form quad g. A register of a 16-bit
// operand holds two elements: the one that is named here in its lower half, the next along k in its upper half.
//
//   float d[Accumulator16x8::elements] = {};
//   for (int i = 0; i < Accumulator16x8::elements; ++i)
//     c[Accumulator16x8::row(lane, i)][Accumulator16x8::column(lane, i)] = d[i];
#pragma once

#include "library/ptx/device_build.cuh"

namespace rafter::ptx {
inline namespace RAFTER_BACKEND {

/// The quad of a lane: the row, or the column of B, that its registers start at.
__host__ __device__ __forceinline__ constexpr int quad_of(int lane) { return lane / 4; }
/// The position of a lane within its quad.
__host__ __device__ __forceinline__ constexpr int quad_lane(int lane) { return lane % 4; }

/// The accumulators C and D of mma.m16n8kX, 16 x 8 floats: d[4] per lane. A half accumulator holds elements 2 j and
/// 2 j + 1 in register j.
struct Accumulator16x8 {
  static constexpr int rows = 16;
  static constexpr int columns = 8;
  static constexpr int elements = 4;  // of a lane

  __host__ __device__ __forceinline__ static constexpr int row(int lane, int i) {
    return quad_of(lane) + row_half(i) * 8;
  }
  __host__ __device__ __forceinline__ static constexpr int column(int lane, int i) {
    return quad_lane(lane) * 2 + column_offset(i);
  }
  /// The half of the tile's rows that element i lies in: 0 for rows 0 to 7, 1 for rows 8 to 15.
  __host__ __device__ __forceinline__ static constexpr int row_half(int i) { return i / 2; }
  /// The column of element i, counted from the lane's first one: 0 or 1.
  __host__ __device__ __forceinline__ static constexpr int column_offset(int i) { return i % 2; }
  /// The element in a half of the rows and at an offset from the lane's first column.
  __host__ __device__ __forceinline__ static constexpr int element(int row_half, int column_offset) {
    return 2 * row_half + column_offset;
  }
};

/// The operand A of an mma with 16 rows: a[4] registers per lane. A register holds `Packed` elements along k: 2 of half
/// or bfloat16 (m16n8k16), 1 of tf32 (m16n8k8).
template <int Packed>
struct OperandA16 {
  static constexpr int rows = 16;
  static constexpr int depth = 8 * Packed;
  static constexpr int registers = 4;  // of a lane

  __host__ __device__ __forceinline__ static constexpr int row(int lane, int i) {
    return quad_of(lane) + row_half(i) * 8;
  }
  /// The k of the register's first element.
  __host__ __device__ __forceinline__ static constexpr int k(int lane, int i) {
    return quad_lane(lane) * Packed + depth_half(i) * 4 * Packed;
  }
  /// The half of the rows that register i lies in.
  __host__ __device__ __forceinline__ static constexpr int row_half(int i) { return i % 2; }
  /// The half of the products (k) that register i lies in.
  __host__ __device__ __forceinline__ static constexpr int depth_half(int i) { return i / 2; }
};

/// The operand B of an mma with 8 columns: b[2] registers per lane, `Packed` elements along k in each.
template <int Packed>
struct OperandB8 {
  static constexpr int columns = 8;
  static constexpr int depth = 8 * Packed;
  static constexpr int registers = 2;  // of a lane

  __host__ __device__ __forceinline__ static constexpr int column(int lane) { return quad_of(lane); }
  /// The k of the register's first element.
  __host__ __device__ __forceinline__ static constexpr int k(int lane, int i) {
    return quad_lane(lane) * Packed + i * 4 * Packed;
  }
};

using OperandA16x16 = OperandA16<2>;  // half, bfloat16
using OperandA16x8 = OperandA16<1>;   // tf32
using OperandB16x8 = OperandB8<2>;    // half, bfloat16
using OperandB8x8 = OperandB8<1>;     // tf32

/// The accumulators of wgmma.m64nNkX, 64 x N floats: d[N / 2] per thread of the warpgroup. Each warp has 16 rows, and
/// elements 4 c to 4 c + 3 of a lane are those of an Accumulator16x8 at columns 8 c to 8 c + 7.
struct WgmmaAccumulator {
  static constexpr int rows = 64;

  __host__ __device__ __forceinline__ static constexpr int row(int thread, int i) {
    return thread / 32 * 16 + Accumulator16x8::row(thread % 32, i % 4);
  }
  __host__ __device__ __forceinline__ static constexpr int column(int thread, int i) {
    return i / 4 * 8 + Accumulator16x8::column(thread % 32, i % 4);
  }
  /// The element in a tile of 8 columns, a half of the warp's rows, and at an offset from the lane's first column.
  __host__ __device__ __forceinline__ static constexpr int element(int column_tile, int row_half, int column_offset) {
    return 4 * column_tile + Accumulator16x8::element(row_half, column_offset);
  }
};

}  // namespace RAFTER_BACKEND
}  // namespace rafter::ptx
