// nvcuda::wmma: loads, stores and the multiplication of fragments. Products are summed in float (int for bytes, double
// for double) in the order of k, starting from c; a half accumulator is rounded once, at the end.
#pragma once

#include "rafter_simt/wmma/fragment.hpp"

namespace nvcuda {
namespace wmma {

namespace details {

// All 32 lanes take part in every wmma operation. A vote synchronises them without ordering their memory accesses.
inline void converge() { __any_sync(rafter_simt::full_warp, 1); }

/// Checks the alignment that loads and stores require: 32 bytes for the address, 16 for the stride.
template <class T>
__forceinline__ void check_alignment(const T* matrix, unsigned stride) {
#ifdef RAFTER_SIMT_CHECKED
  rafter_simt_matrix(matrix, stride * sizeof(T));
#else
  static_cast<void>(matrix), static_cast<void>(stride);
#endif
}

template <class Use, class Fragment, class T>
__forceinline__ void load(Fragment& fragment, const T* from, unsigned stride, layout_t layout) {
  check_alignment(from, stride);
  converge();
  const int lane = static_cast<int>(rafter_simt::current_lane());
  for (int i = 0; i < Fragment::num_elements; ++i) {
    const Position at = position<Use, Fragment::Rows, Fragment::Cols>(lane, i);
    const std::size_t row = at.row, col = at.col;
    fragment.x[i] = layout == mem_row_major ? from[row * stride + col] : from[col * stride + row];
  }
}

/// One lane's operands, as passed to the other lanes.
template <class Math, int n_a, int n_b>
struct Operands {
  Math a[n_a];
  Math b[n_b];
};

// The hardware uses the upper 19 bits of tf32 operands.
inline float drop_low_bits(float value) {
  std::uint32_t bits;
  __builtin_memcpy(&bits, &value, 4);
  bits &= 0xffffe000u;
  __builtin_memcpy(&value, &bits, 4);
  return value;
}

template <class T, class Math, int n>
void widen(Math (&to)[n], const typename Element<T>::Storage (&from)[n]) {
  for (int i = 0; i < n; ++i) {
    to[i] = static_cast<Math>(from[i]);
    if constexpr (std::is_same<T, precision::tf32>::value) to[i] = drop_low_bits(to[i]);
  }
}

/// Adds to `sum`, the element at `at`, the products of its row and column. Accesses private memory only.
template <int K, int Cols, class Sum, class Math, int n_a, int n_b>
__attribute__((no_sanitize("thread"))) Sum add_products(Sum sum, const Operands<Math, n_a, n_b>* lanes, Position at) {
  for (int k = 0; k < K; ++k) {
    const int a = at.row * K + k, b = k * Cols + at.col;
    sum += static_cast<Sum>(lanes[a / n_a].a[a % n_a]) * static_cast<Sum>(lanes[b / n_b].b[b % n_b]);
  }
  return sum;
}

}  // namespace details

inline float __float_to_tf32(float value) {
  std::uint32_t bits;
  __builtin_memcpy(&bits, &value, 4);
  if ((bits & 0x7f800000u) != 0x7f800000u) bits += 0x1000u;
  __builtin_memcpy(&value, &bits, 4);
  return details::drop_low_bits(value);
}

template <class Use, int M, int N, int K, class T, class Layout, class Value>
void fill_fragment(fragment<Use, M, N, K, T, Layout>& fragment, const Value& value) {
  using Storage = typename details::Element<T>::Storage;
  for (auto& x : fragment.x) x = static_cast<Storage>(value);
}

template <class Use, int M, int N, int K, class T, class Layout>
__forceinline__ void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& fragment,
                                      const typename details::Element<T>::Storage* from, unsigned stride) {
  static_assert(!std::is_same<Use, accumulator>::value, "loading an accumulator requires a layout");
  details::load<Use>(fragment, from, stride, std::is_same<Layout, row_major>::value ? mem_row_major : mem_col_major);
}
template <int M, int N, int K, class T>
__forceinline__ void load_matrix_sync(fragment<accumulator, M, N, K, T>& fragment, const T* from, unsigned stride,
                                      layout_t layout) {
  details::load<accumulator>(fragment, from, stride, layout);
}

template <int M, int N, int K, class T>
__forceinline__ void store_matrix_sync(T* to, const fragment<accumulator, M, N, K, T>& fragment, unsigned stride,
                                       layout_t layout) {
  details::check_alignment(to, stride);
  const int lane = static_cast<int>(rafter_simt::current_lane());
  for (int i = 0; i < fragment.num_elements; ++i) {
    const details::Position at = details::position<accumulator, M, N>(lane, i);
    const std::size_t row = at.row, col = at.col;
    (layout == mem_row_major ? to[row * stride + col] : to[col * stride + row]) = fragment.x[i];
  }
  details::converge();
}

/// Computes d = a * b + c. Saturation is defined for byte operands only.
template <int M, int N, int K, class T, class LayoutA, class LayoutB, class D, class C>
void mma_sync(fragment<accumulator, M, N, K, D>& d, const fragment<matrix_a, M, N, K, T, LayoutA>& a,
              const fragment<matrix_b, M, N, K, T, LayoutB>& b, const fragment<accumulator, M, N, K, C>& c,
              bool saturate = false) {
  using Math = typename details::Element<T>::Math;
  using Sum = std::conditional_t<std::is_same<Math, int>::value, long long, Math>;
  using Operands = details::Operands<Math, M * K / 32, K * N / 32>;
  Operands mine;
  details::widen<T>(mine.a, a.x);
  details::widen<T>(mine.b, b.x);
  rafter_simt::LaneValues<Operands> lanes(rafter_simt::full_warp, mine);
  const int lane = static_cast<int>(rafter_simt::current_lane());
  for (int i = 0; i < d.num_elements; ++i) {
    const details::Position at = details::position<accumulator, M, N>(lane, i);
    Sum sum = details::add_products<K, N>(static_cast<Sum>(c.x[i]), &lanes[0], at);
    if constexpr (std::is_same<Math, int>::value) {
      constexpr Sum highest = 0x7fffffff, lowest = -highest - 1;
      if (saturate) sum = sum > highest ? highest : sum < lowest ? lowest : sum;
    }
    d.x[i] = static_cast<D>(sum);
  }
  static_cast<void>(saturate);
}

}  // namespace wmma
}  // namespace nvcuda
