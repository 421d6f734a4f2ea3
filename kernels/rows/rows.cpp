// row_sums: checks its arguments and calls the best rung of the stream's device.
#include <limits>

#include "core/arguments.hpp"
#include "core/dispatch.hpp"
#include "rows/rows_rung.hpp"

namespace rafter {

namespace rows_ladder {
namespace cpu {
extern const RowsRung by_shape;
}
namespace cuda {
extern const RowsRung by_shape;
}
}  // namespace rows_ladder

namespace {

void require_shape(const MatrixShape& shape) {
  const auto [n_rows, n_cols] = shape;
  const bool overflows = n_cols > 0 && n_rows > std::numeric_limits<std::int64_t>::max() / n_cols;
  if (n_rows < 0 || n_cols < 0 || overflows) {
    core::refuse("row_sums", "shape",
                 "must have extents of 0 or more and fewer than 2^63 elements, is (" + std::to_string(n_rows) + ", " +
                     std::to_string(n_cols) + ")");
  }
}

}  // namespace

template <class T>
void detail::RowSums<T>::operator()(const Stream& stream, std::span<const T> in, MatrixShape shape,
                                    std::span<T> out) const {
  using namespace rows_ladder;
  require_shape(shape);
  core::require_size("row_sums", "in", in, shape.n_rows * shape.n_cols);
  core::require_size("row_sums", "out", out, shape.n_rows);
  core::require_array("row_sums", "in", in);
  core::require_array("row_sums", "out", out);
  core::require_disjoint("row_sums", "in", in, "out", std::span<const T>(out));
  core::dispatch<cpu::by_shape, cuda::by_shape>("row_sums", stream, RowsArgs<T>{in, shape, out});
}

template struct core::Instances<decltype(row_sums)>;

}  // namespace rafter
