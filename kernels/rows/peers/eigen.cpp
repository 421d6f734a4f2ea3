// eigen: Eigen's vectorised row-wise sum, on one thread.
#ifdef RAFTER_WITH_EIGEN
#include <Eigen/Core>

#include "rows/rows_rung.hpp"

namespace rafter::rows_ladder::cpu {

extern const RowsRung eigen{[]<class T>(const Stream&, RowsArgs<T> args) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<Eigen::VectorX<T>>(args.out.data(), args.shape.n_rows) =
      Eigen::Map<const Matrix>(args.in.data(), args.shape.n_rows, args.shape.n_cols).rowwise().sum();
}};

}  // namespace rafter::rows_ladder::cpu
#endif
