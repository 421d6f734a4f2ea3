// by_shape: out[r] = sum of row r. The threads sum bands of short rows, or parts of long ones.
// Bands and parts depend on the shape alone, so any number of threads gives the same bits. Bound by memory bandwidth.
#include <algorithm>

#include "library/core/arithmetic.hpp"
#include "library/core/parts.hpp"
#include "library/core/stream/scratch.hpp"
#include "rows/cpu/rows_array.hpp"
#include "rows/rows_rung.hpp"

namespace rafter::rows_ladder::cpu {

namespace {

constexpr std::int64_t long_row = 4096;        // from this length on a row is summed like an array
constexpr std::int64_t band_elements = 16384;  // 64 KiB: long enough to hide the cost of scheduling a band
constexpr std::int64_t min_part_elements = 65536;
constexpr std::int64_t max_parts = 16384;  // their sums fit in a stream's scratch

/// Calls f(i) for each i in [0, n) on as many threads as the matrix is worth.
template <class T, class F>
void for_each_part(const Stream& stream, const MatrixView<const T>& in, std::int64_t n, const F& f) {
  core::for_each_index(core::threads_for_bytes(stream, in.n_rows * in.n_cols * std::int64_t{sizeof(T)}), n, f);
}

template <class T>
void short_rows(const Stream& stream, const MatrixView<const T>& in, T* out) {
  const std::int64_t per_band = std::max(band_elements / std::max(in.n_cols, std::int64_t{1}), std::int64_t{1});
  const std::int64_t n_bands = ceil_div(in.n_rows, per_band);
  for_each_part(stream, in, n_bands, [&](std::int64_t band) {
    const std::int64_t row = band * per_band;
    sum_rows(rows_of(in, row, std::min(per_band, in.n_rows - row)), out + row);
  });
}

template <class T>
void long_rows(const Stream& stream, const MatrixView<const T>& in, T* out) {
  const std::int64_t n_rows = in.n_rows, n_cols = in.n_cols;
  using sum_ladder::cpu::sum_array;
  const std::int64_t wanted = ceil_div(n_cols, min_part_elements);
  const std::int64_t n_parts = std::max(std::min(wanted, max_parts / n_rows), std::int64_t{1});
  const std::int64_t per_part = ceil_div(n_cols, n_parts);
  if (n_parts == 1) {
    return for_each_part(stream, in, n_rows,
                         [&](std::int64_t row) { out[row] = static_cast<T>(sum_array(in.row(row), n_cols)); });
  }

  auto* partial = reinterpret_cast<double*>(core::scratch(stream, n_rows * n_parts * std::int64_t{sizeof(double)}));
  for_each_part(stream, in, n_rows * n_parts, [&](std::int64_t i) {
    const std::int64_t first = i % n_parts * per_part;
    const std::int64_t n = std::max(std::min(per_part, n_cols - first), std::int64_t{0});
    partial[i] = sum_array(in.row(i / n_parts) + first, n);
  });
  for (std::int64_t row = 0; row < n_rows; ++row) {
    double total = 0;
    for (std::int64_t part = 0; part < n_parts; ++part) total += partial[row * n_parts + part];
    out[row] = static_cast<T>(total);
  }
}

}  // namespace

extern const RowsRung by_shape{[]<class T>(const Stream& stream, RowsArgs<T> args) {
  if (args.in.n_rows == 0) return;
  args.in.n_cols < long_row ? short_rows(stream, args.in, args.out.data())
                            : long_rows(stream, args.in, args.out.data());
}};

}  // namespace rafter::rows_ladder::cpu
