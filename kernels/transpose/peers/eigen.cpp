// eigen: Eigen's transpose into a matrix of its own, on one thread.
#ifdef RAFTER_WITH_EIGEN
#include <Eigen/Core>
#include <complex>
#include <type_traits>

#include "transpose/transpose_rung.hpp"

namespace rafter::transpose_ladder::cpu {

template <class Word>
void eigen(const Stream&, std::span<const Word> in, MatrixShape shape, std::span<Word> out) {
  // Eigen's matrices hold numbers; 16 bytes are a complex one, copied as it is.
  using Number = std::conditional_t<sizeof(Word) == 16, std::complex<double>, Word>;
  using Matrix = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto* from = reinterpret_cast<const Number*>(in.data());
  auto* to = reinterpret_cast<Number*>(out.data());
  Eigen::Map<Matrix>(to, shape.n_cols, shape.n_rows) =
      Eigen::Map<const Matrix>(from, shape.n_rows, shape.n_cols).transpose();
}

RAFTER_TRANSPOSE_RUNG(eigen);

}  // namespace rafter::transpose_ladder::cpu
#endif
