// std_copy_if: the C++ standard library's parallel copy_if (over TBB in libstdc++).
#ifdef RAFTER_WITH_TBB
#include <algorithm>
#include <execution>

#include "core/affinity.hpp"
#include "filter/filter_rung.hpp"
#include "filter/kept.hpp"

namespace rafter::filter_ladder::cpu {

template <class T>
void std_copy_if(const Stream&, std::span<const T> in, Predicate<T> keep, std::span<T> out, std::int64_t* count,
                 Order) {
  require_room(in, out);
  const core::AllCores unpinned;  // TBB counts the cores its first caller may use, and its threads inherit them
  const Range<T> range = range_of(keep);
  const auto end =
      std::copy_if(std::execution::par, in.begin(), in.end(), out.begin(), [range](T x) { return is_kept(range, x); });
  *count = end - out.begin();
}

RAFTER_FILTER_RUNG(std_copy_if);

}  // namespace rafter::filter_ladder::cpu
#endif
