// eigen: Eigen's transpose() in one thread.
#ifdef RAFTER_WITH_EIGEN
#include <Eigen/Core>
#include <complex>
#include <type_traits>

#include "transpose/transpose_rung.hpp"

namespace rafter::transpose_ladder::cpu {

extern const TransposeRung eigen{[]<class Word>(const Stream&, TransposeArgs<Word> args) {
  // Eigen's matrices hold numbers; 16-byte elements are copied as complex ones.
  using Number = std::conditional_t<sizeof(Word) == 16, std::complex<double>, Word>;
  using Matrix = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto* from = reinterpret_cast<const Number*>(args.in.data);
  auto* to = reinterpret_cast<Number*>(args.out.data);
  using Stride = Eigen::OuterStride<>;
  Eigen::Map<Matrix, 0, Stride>(to, args.out.n_rows, args.out.n_cols, Stride(args.out.row_stride)) =
      Eigen::Map<const Matrix, 0, Stride>(from, args.in.n_rows, args.in.n_cols, Stride(args.in.row_stride)).transpose();
}};

}  // namespace rafter::transpose_ladder::cpu
#endif
