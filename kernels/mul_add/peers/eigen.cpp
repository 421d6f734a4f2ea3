// eigen: Eigen's a * b + c of arrays as one vectorised loop in one thread.
#ifdef RAFTER_WITH_EIGEN
#include <Eigen/Core>

#include "library/core/dtype.hpp"
#include "mul_add/mul_add_rung.hpp"

namespace rafter::mul_add_ladder::cpu {

extern const MulAddRung eigen{[]<core::OwnAccumulator T>(const Stream&, MulAddArgs<T> args) {
  using Array = Eigen::Array<T, Eigen::Dynamic, 1>;
  using In = Eigen::Map<const Array>;
  const auto n = std::ssize(args.out);
  Eigen::Map<Array>(args.out.data(), n) = In(args.in.a, n) * In(args.in.b, n) + In(args.in.c, n);
}};

}  // namespace rafter::mul_add_ladder::cpu
#endif
