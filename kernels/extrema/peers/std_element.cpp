// std_element: std::min_element and std::max_element with par_unseq, over TBB.
#ifdef RAFTER_WITH_TBB
#include <algorithm>
#include <execution>

#include "extrema/extrema_rung.hpp"
#include "library/core/cpu/affinity.hpp"

namespace rafter::extrema_ladder::cpu {

extern const ExtremaRung std_element{[]<core::OwnAccumulator T>(const Stream&, ExtremaArgs<T> args) {
  const core::AllCores unpinned;  // TBB counts the cores its first caller may use, and its threads inherit them
  const auto& [in, which, value, index] = args;
  const auto found = which == Extremum::least ? std::min_element(std::execution::par_unseq, in.begin(), in.end())
                                              : std::max_element(std::execution::par_unseq, in.begin(), in.end());
  if (value != nullptr) *value = *found;
  if (index != nullptr) *index = found - in.begin();
}};

}  // namespace rafter::extrema_ladder::cpu
#endif
