// std_fill: the C++ standard library's parallel, vectorised fill (over TBB in libstdc++).
#ifdef RAFTER_WITH_TBB
#include <algorithm>
#include <execution>

#include "fill/fill_rung.hpp"
#include "library/core/cpu/affinity.hpp"

namespace rafter::fill_ladder::cpu {

extern const FillRung std_fill{[]<class T>(const Stream&, FillArgs<T> args) {
  const core::AllCores unpinned;  // TBB counts the cores its first caller may use, and its threads inherit them
  std::fill(std::execution::par_unseq, args.out.begin(), args.out.end(), args.value);
}};

}  // namespace rafter::fill_ladder::cpu
#endif
