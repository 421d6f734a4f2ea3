// Sums of neighbouring rows by one thread. Rows of up to 16 columns have their length compiled in, so that a row is a
// few independent additions without a loop; longer ones go into 16 lanes that are folded in halves at the row's end.
// Bound by memory for both on two cores; the fold is what a row of 20 columns pays.
#include "rows/rows_simd.hpp"

namespace rafter::rows_ladder::cpu {

namespace {

constexpr int n_lanes = 16;

template <int Count, class T>
T tree(const T* x) {
  if constexpr (Count == 1) {
    return x[0];
  } else {
    return tree<Count / 2>(x) + tree<Count - Count / 2>(x + Count / 2);
  }
}

template <int Cols, class T>
void fixed_rows(const T* in, std::int64_t n_rows, T* out) {
  for (std::int64_t row = 0; row < n_rows; ++row) out[row] = tree<Cols>(in + row * Cols);
}

template <class T>
T lanes_row(const T* in, std::int64_t n_cols) {
  T lane[n_lanes] = {};
  std::int64_t i = 0;
  for (; i + n_lanes <= n_cols; i += n_lanes) {
    for (int j = 0; j < n_lanes; ++j) lane[j] += in[i + j];
  }
  for (int j = 0; i < n_cols; ++i, ++j) lane[j] += in[i];
  for (int width = n_lanes / 2; width > 0; width /= 2) {
    for (int j = 0; j < width; ++j) lane[j] += lane[j + width];
  }
  return lane[0];
}

template <class T>
void rows(const T* in, std::int64_t n_rows, std::int64_t n_cols, T* out) {
  switch (n_cols) {
    case 1: return fixed_rows<1>(in, n_rows, out);
    case 2: return fixed_rows<2>(in, n_rows, out);
    case 3: return fixed_rows<3>(in, n_rows, out);
    case 4: return fixed_rows<4>(in, n_rows, out);
    case 5: return fixed_rows<5>(in, n_rows, out);
    case 6: return fixed_rows<6>(in, n_rows, out);
    case 7: return fixed_rows<7>(in, n_rows, out);
    case 8: return fixed_rows<8>(in, n_rows, out);
    case 9: return fixed_rows<9>(in, n_rows, out);
    case 10: return fixed_rows<10>(in, n_rows, out);
    case 11: return fixed_rows<11>(in, n_rows, out);
    case 12: return fixed_rows<12>(in, n_rows, out);
    case 13: return fixed_rows<13>(in, n_rows, out);
    case 14: return fixed_rows<14>(in, n_rows, out);
    case 15: return fixed_rows<15>(in, n_rows, out);
    case 16: return fixed_rows<16>(in, n_rows, out);
    default:
      for (std::int64_t row = 0; row < n_rows; ++row) out[row] = lanes_row(in + row * n_cols, n_cols);
  }
}

}  // namespace

RAFTER_ISA_TABLE(RowLoops, row_loops) = {rows<float>, rows<double>};

}  // namespace rafter::rows_ladder::cpu
