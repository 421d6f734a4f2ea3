// std_copy_if: the C++ standard library's parallel copy_if (over TBB in libstdc++).
#ifdef RAFTER_WITH_TBB
#include <algorithm>
#include <execution>

#include "filter/cpu/filter_satisfies.hpp"
#include "filter/filter_rung.hpp"
#include "library/core/cpu/affinity.hpp"

namespace rafter::filter_ladder::cpu {

extern const FilterRung std_copy_if{[]<class T>(const Stream&, FilterArgs<T> args) {
  require_full_capacity(args.in, args.out);
  const core::AllCores unpinned;  // TBB counts the cores its first caller may use, and its threads inherit them
  const Range<T> range = range_of(args.keep);
  const auto end = std::copy_if(std::execution::par, args.in.begin(), args.in.end(), args.out.begin(),
                                [range](T x) { return satisfies(range, x); });
  *args.count = end - args.out.begin();
}};

}  // namespace rafter::filter_ladder::cpu
#endif
