// The sums of a matrix's rows.
#pragma once

#include "rafter/device_span.hpp"
#include "rafter/export.hpp"
#include "rafter/half.hpp"
#include "rafter/matrix.hpp"  // IWYU pragma: export
#include "rafter/stream.hpp"
#include "rafter/types.hpp"

namespace rafter::inline v1 {

using RowsTypes = Types<float, double, Half, Bfloat16>;

namespace detail {
template <class T>
struct RAFTER_API RowSums {
  void operator()(const Stream& stream, MatrixView<const T> in, DeviceSpan<T> out) const;
};
template <class T>
struct RAFTER_API ContiguousRowSums {
  void operator()(const Stream& stream, DeviceSpan<const T> in, MatrixShape shape, DeviceSpan<T> out) const;
};
}  // namespace detail

/// Writes the sum of each row of `in` to `out` (`n_rows` elements); 0 for rows without columns. `in` is a view of a
/// matrix, or a span and the shape of the row-major matrix that fills it. The caller owns both, in memory of the
/// stream's device. Fast for every aspect ratio, from many short rows to few long ones.
///
/// Deterministic like sum(): equal inputs of equal shape give equal bits on the same device. Error: at most (n_cols /
/// 8192 + 160) * eps * (the row's sum of magnitudes), usually far less. 16-bit floats are added in float, so eps is
/// float's, and a row's sum is rounded to 16 bits once, at the end.
///
/// One launch, no allocation, no synchronisation; may be captured in a CUDA graph. Throws Error (bad_argument) when the
/// spans do not fit the shape, are misaligned or overlap.
inline constexpr BothOverloads<OverloadsFor<detail::RowSums, RowsTypes>,
                               OverloadsFor<detail::ContiguousRowSums, RowsTypes>>
    row_sums{};

}  // namespace rafter::inline v1
