// std_reduce: the parallel, vectorised reduce of the C++ standard library (over TBB in libstdc++).
#ifdef RAFTER_WITH_TBB
#include <execution>
#include <numeric>

#include "library/core/cpu/affinity.hpp"
#include "sum/sum_rung.hpp"

namespace rafter::sum_ladder::cpu {

extern const SumRung std_reduce{[]<core::OwnAccumulator T>(const Stream&, SumArgs<T> args) {
  const core::AllCores unpinned;  // TBB counts the cores its first caller may use, and its threads inherit them
  *args.out = std::reduce(std::execution::par_unseq, args.in.begin(), args.in.end(), SumResult<T>{0});
}};

}  // namespace rafter::sum_ladder::cpu
#endif
