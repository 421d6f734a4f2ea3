// std_fill: the C++ standard library's parallel, vectorised fill (over TBB in libstdc++).
#ifdef RAFTER_WITH_TBB
#include <algorithm>
#include <execution>

#include "core/affinity.hpp"
#include "fill/fill_rung.hpp"

namespace rafter::fill_ladder::cpu {

template <class T>
void std_fill(const Stream&, std::span<T> out, T value) {
  const core::AllCores unpinned;  // TBB counts the cores its first caller may use, and its threads inherit them
  std::fill(std::execution::par_unseq, out.begin(), out.end(), value);
}

RAFTER_FILL_RUNG(std_fill);

}  // namespace rafter::fill_ladder::cpu
#endif
