// eigen: Eigen's vectorised sum, on one thread.
#ifdef RAFTER_WITH_EIGEN
#include <Eigen/Core>

#include "sum/sum_rung.hpp"

namespace rafter::sum_ladder::cpu {

template <class T>
void eigen(const Stream&, std::span<const T> in, T* out) {
  *out = Eigen::Map<const Eigen::VectorX<T>>(in.data(), std::ssize(in)).sum();
}

RAFTER_SUM_RUNG(eigen);

}  // namespace rafter::sum_ladder::cpu
#endif
