// Sums adjacent rows in one thread. Up to 256 columns, four rows at a time: each row is added up in four lanes, and two
// rounds of pairwise additions reduce the lanes of the four rows to four sums. Longer rows use 16 lanes each.
// Bound by memory: (10^6, 10) takes 2.8 additions per row instead of 9, which two cores could not hide behind their
// loads.
#include "rows/rows_simd.hpp"

namespace rafter::rows_ladder::cpu {

namespace {

constexpr std::int64_t four_rows_cols = 256;  // Neoverse-V1: 1.04x over long_row at 200 columns, 0.9x at 511

template <class T>
struct Lanes {
  typedef T Four __attribute__((vector_size(4 * sizeof(T))));  // the syntax that both GCC and Clang accept
};
template <class T>
using Four = typename Lanes<T>::Four;

template <class T>
Four<T> load(const T* x) {
  Four<T> v;
  __builtin_memcpy(&v, x, sizeof v);
  return v;
}

/// Returns {a0 + a1, a2 + a3, b0 + b1, b2 + b3}.
template <class T>
Four<T> pairwise(Four<T> a, Four<T> b) {
  return __builtin_shufflevector(a, b, 0, 2, 4, 6) + __builtin_shufflevector(a, b, 1, 3, 5, 7);
}

/// Returns a row of at least four columns, added up in four lanes. The last one to three columns are loaded with a
/// vector that overlaps the previous one.
template <class T>
Four<T> row_in_lanes(const T* x, std::int64_t n_cols) {
  Four<T> total = load(x);
  std::int64_t i = 4;
  for (; i + 4 <= n_cols; i += 4) total += load(x + i);
  if (i < n_cols) {
    Four<T> last = load(x + n_cols - 4);
    for (int lane = 0; lane < 4; ++lane) last[lane] = lane < 4 - (n_cols - i) ? T{0} : last[lane];
    total += last;
  }
  return total;
}

// On x86, summing row by row keeps too few cache lines in flight. Two threads of a Xeon, (10^6, 10), scalar additions:
// prefetching 2 KiB ahead reduced 3.2 ms to 2.0 ms; reading alone takes 1.5. A Neoverse-V1 gains nothing.
inline void prefetch(const void* x) {
#if defined(__x86_64__)
  constexpr int ahead_bytes = 2048;
  __builtin_prefetch(static_cast<const char*>(x) + ahead_bytes);
#else
  static_cast<void>(x);
#endif
}

/// Sums rows, four at a time. With constants for `n_cols` and `stride` it is inlined and the inner loops are unrolled
/// completely.
template <class T>
__attribute__((always_inline)) inline void rows_of_four(const Rows<T>& in, std::int64_t n_cols, std::int64_t stride,
                                                        T* out) {
  const std::int64_t n_rows = in.n_rows;
  std::int64_t row = 0;
  for (; row + 4 <= n_rows; row += 4) {
    Four<T> lanes[4];
    for (int r = 0; r < 4; ++r) {
      const T* x = in.data + (row + r) * stride;
      prefetch(x);
      lanes[r] = row_in_lanes(x, n_cols);
    }
    const Four<T> sums = pairwise<T>(pairwise<T>(lanes[0], lanes[1]), pairwise<T>(lanes[2], lanes[3]));
    __builtin_memcpy(out + row, &sums, sizeof sums);
  }
  for (; row < n_rows; ++row) {
    const Four<T> v = row_in_lanes(in.data + row * stride, n_cols);
    out[row] = (v[0] + v[1]) + (v[2] + v[3]);
  }
}

/// Sums rows of up to three columns.
template <class T>
__attribute__((always_inline)) inline void narrow_rows(const Rows<T>& in, std::int64_t n_cols, std::int64_t stride,
                                                       T* out) {
  for (std::int64_t row = 0; row < in.n_rows; ++row) {
    T total = 0;
    for (std::int64_t col = 0; col < n_cols; ++col) total += in.data[row * stride + col];
    out[row] = total;
  }
}

template <class T>
T long_row(const T* in, std::int64_t n_cols) {
  constexpr int n_lanes = 16;
  T lane[n_lanes] = {};
  std::int64_t i = 0;
  for (; i + n_lanes <= n_cols; i += n_lanes) {
    for (int j = 0; j < n_lanes; ++j) lane[j] += in[i + j];
  }
  for (int j = 0; i < n_cols; ++i, ++j) lane[j] += in[i];
  // Constant widths, so that the lanes stay in registers.
  for (int j = 0; j < 8; ++j) lane[j] += lane[j + 8];
  for (int j = 0; j < 4; ++j) lane[j] += lane[j + 4];
  return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

/// Sums rows without gaps between them.
template <class T>
void contiguous_rows(const Rows<T>& in, T* out) {
  switch (in.n_cols) {
    case 0: return narrow_rows(in, 0, 0, out);
    case 1: return narrow_rows(in, 1, 1, out);
    case 2: return narrow_rows(in, 2, 2, out);
    case 3: return narrow_rows(in, 3, 3, out);
    case 4: return rows_of_four(in, 4, 4, out);
    case 5: return rows_of_four(in, 5, 5, out);
    case 6: return rows_of_four(in, 6, 6, out);
    case 7: return rows_of_four(in, 7, 7, out);
    case 8: return rows_of_four(in, 8, 8, out);
    case 9: return rows_of_four(in, 9, 9, out);
    case 10: return rows_of_four(in, 10, 10, out);
    case 11: return rows_of_four(in, 11, 11, out);
    case 12: return rows_of_four(in, 12, 12, out);
    case 13: return rows_of_four(in, 13, 13, out);
    case 14: return rows_of_four(in, 14, 14, out);
    case 15: return rows_of_four(in, 15, 15, out);
    case 16: return rows_of_four(in, 16, 16, out);
    default: return rows_of_four(in, in.n_cols, in.n_cols, out);
  }
}

template <class T>
void rows(const Rows<T>& in, T* out) {
  if (in.n_cols > four_rows_cols) {
    for (std::int64_t row = 0; row < in.n_rows; ++row) out[row] = long_row(in.data + row * in.row_stride, in.n_cols);
  } else if (in.row_stride == in.n_cols) {
    contiguous_rows(in, out);
  } else if (in.n_cols < 4) {
    narrow_rows(in, in.n_cols, in.row_stride, out);
  } else {
    rows_of_four(in, in.n_cols, in.row_stride, out);
  }
}

}  // namespace

RAFTER_ISA_TABLE(RowLoops, row_loops) = {rows<float>, rows<double>};

}  // namespace rafter::rows_ladder::cpu
