// eigen: Eigen's vectorised rowwise().sum() in one thread.
#ifdef RAFTER_WITH_EIGEN
#include <Eigen/Core>

#include "rows/rows_rung.hpp"

namespace rafter::rows_ladder::cpu {

extern const RowsRung eigen{[]<core::OwnAccumulator T>(const Stream&, RowsArgs<T> args) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto& [data, n_rows, n_cols, row_stride] = args.in;
  Eigen::Map<Eigen::VectorX<T>>(args.out.data(), n_rows) =
      Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>(data, n_rows, n_cols, Eigen::OuterStride<>(row_stride))
          .rowwise()
          .sum();
}};

}  // namespace rafter::rows_ladder::cpu
#endif
