// eigen: Eigen's vectorised row-wise sum, on one thread.
#ifdef RAFTER_WITH_EIGEN
#include <Eigen/Core>

#include "rows/rows_rung.hpp"

namespace rafter::rows_ladder::cpu {

template <class T>
void eigen(const Stream&, std::span<const T> in, MatrixShape shape, std::span<T> out) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<Eigen::VectorX<T>>(out.data(), shape.n_rows) =
      Eigen::Map<const Matrix>(in.data(), shape.n_rows, shape.n_cols).rowwise().sum();
}

RAFTER_ROWS_RUNG(eigen);

}  // namespace rafter::rows_ladder::cpu
#endif
