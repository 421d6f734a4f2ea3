// nvcuda::wmma: fragments, and the matrix element of each lane's x[i].
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "rafter_simt/groups/lanes.hpp"

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}

namespace details {

/// The types that a T is stored in and computed in.
template <class T>
struct Element {
  using Storage = T;
  using Math = float;
};
template <>
struct Element<precision::tf32> {
  using Storage = float;
  using Math = float;
};
template <class T>
struct SameElement {
  using Storage = T;
  using Math = T;
};
// clang-format off
template <> struct Element<float> : SameElement<float> {};
template <> struct Element<double> : SameElement<double> {};
template <> struct Element<int> : SameElement<int> {};
template <> struct Element<signed char> { using Storage = signed char; using Math = int; };
template <> struct Element<unsigned char> { using Storage = unsigned char; using Math = int; };

template <int M, int N, int K> constexpr bool is_16 =
    K == 16 && ((M == 16 && N == 16) || (M == 32 && N == 8) || (M == 8 && N == 32));
template <class T, int M, int N, int K> constexpr bool fits_input = is_16<M, N, K>;
template <int M, int N, int K> constexpr bool fits_input<precision::tf32, M, N, K> = M == 16 && N == 16 && K == 8;
template <int M, int N, int K> constexpr bool fits_input<double, M, N, K> = M == 8 && N == 8 && K == 4;
template <class T, int M, int N, int K> constexpr bool fits_accumulator = is_16<M, N, K>;
template <int M, int N, int K> constexpr bool fits_accumulator<float, M, N, K> =
    is_16<M, N, K> || (M == 16 && N == 16 && K == 8);
template <int M, int N, int K> constexpr bool fits_accumulator<double, M, N, K> = M == 8 && N == 8 && K == 4;
// clang-format on

struct Position {
  int row, col;
};

/// Returns the matrix position of element i of a lane. Operands are distributed to the lanes row by row. A 16x16
/// accumulator has the layout of current GPUs (mma.m16n8), because some programs rely on it.
template <class Use, int Rows, int Cols>
constexpr Position position(int lane, int i) {
  if (std::is_same<Use, accumulator>::value && Rows == 16 && Cols == 16)
    return {lane / 4 + 8 * (i / 2 % 2), lane % 4 * 2 + i % 2 + 8 * (i / 4)};
  const int index = lane * (Rows * Cols / 32) + i;
  return {index / Cols, index % Cols};
}

template <class T, int Rows_, int Cols_>
struct Elements {
  static constexpr int Rows = Rows_;
  static constexpr int Cols = Cols_;
  using element_type = T;
  using storage_element_type = typename Element<T>::Storage;
  enum { num_elements = Rows * Cols / 32, num_storage_elements = num_elements };

  storage_element_type x[num_elements];
};

}  // namespace details

template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment;

template <int M, int N, int K, class T, class Layout>
class fragment<matrix_a, M, N, K, T, Layout> : public details::Elements<T, M, K> {
  static_assert(details::fits_input<T, M, N, K>, "rafter: this wmma shape is not supported for this type");
};
template <int M, int N, int K, class T, class Layout>
class fragment<matrix_b, M, N, K, T, Layout> : public details::Elements<T, K, N> {
  static_assert(details::fits_input<T, M, N, K>, "rafter: this wmma shape is not supported for this type");
};
template <int M, int N, int K, class T>
class fragment<accumulator, M, N, K, T, void> : public details::Elements<T, M, N> {
  static_assert(details::fits_accumulator<T, M, N, K>, "rafter: this wmma shape is not supported for this type");
};

}  // namespace wmma
}  // namespace nvcuda
