// eigen: Eigen's vectorised sum in one thread.
#ifdef RAFTER_WITH_EIGEN
#include <Eigen/Core>

#include "sum/sum_rung.hpp"

namespace rafter::sum_ladder::cpu {

extern const SumRung eigen{[]<OwnFloat T>(const Stream&, SumArgs<T> args) {
  *args.out = Eigen::Map<const Eigen::VectorX<T>>(args.in.data(), std::ssize(args.in)).sum();
}};

}  // namespace rafter::sum_ladder::cpu
#endif
