// std_reduce: the C++ standard library's parallel, vectorised reduce (over TBB in libstdc++).
#ifdef RAFTER_WITH_TBB
#include <execution>
#include <numeric>

#include "core/affinity.hpp"
#include "sum/sum_rung.hpp"

namespace rafter::sum_ladder::cpu {

template <class T>
void std_reduce(const Stream&, std::span<const T> in, T* out) {
  const core::AllCores unpinned;  // TBB counts the cores its first caller may use, and its threads inherit them
  *out = std::reduce(std::execution::par_unseq, in.begin(), in.end(), T{0});
}

RAFTER_SUM_RUNG(std_reduce);

}  // namespace rafter::sum_ladder::cpu
#endif
