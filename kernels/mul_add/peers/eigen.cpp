// eigen: Eigen's a * b + c of arrays in one vectorised loop, on one thread.
#ifdef RAFTER_WITH_EIGEN
#include <Eigen/Core>

#include "mul_add/mul_add_rung.hpp"

namespace rafter::mul_add_ladder::cpu {

template <class T>
void eigen(const Stream&, Factors<T> in, std::span<T> out) {
  using Array = Eigen::Array<T, Eigen::Dynamic, 1>;
  using In = Eigen::Map<const Array>;
  const auto n = std::ssize(out);
  Eigen::Map<Array>(out.data(), n) = In(in.a, n) * In(in.b, n) + In(in.c, n);
}

RAFTER_MUL_ADD_RUNG(eigen);

}  // namespace rafter::mul_add_ladder::cpu
#endif
