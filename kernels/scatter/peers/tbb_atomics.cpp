// tbb_atomics: a parallel loop of atomic additions with the C++ standard library (over TBB in libstdc++).
#ifdef RAFTER_WITH_TBB
#include <algorithm>
#include <atomic>
#include <execution>

#include "library/core/cpu/affinity.hpp"
#include "library/core/dtype.hpp"
#include "scatter/scatter_rung.hpp"

namespace rafter::scatter_ladder::cpu {

extern const ScatterRung tbb_atomics{[]<core::OwnAccumulator T, class Key>(const Stream&, ScatterArgs<T, Key> args) {
  require_plain_sum(args);
  const core::AllCores unpinned;  // TBB counts the cores its first caller may use, and its threads inherit them
  std::fill(args.out.begin(), args.out.end(), T{0});
  const T* values = args.values.data();
  const std::span<T> out = args.out;
  std::for_each(std::execution::par, args.keys.begin(), args.keys.end(), [=, first = args.keys.data()](const Key& key) {
    if (key < 0 || static_cast<std::size_t>(key) >= out.size()) return;
    std::atomic_ref(out[static_cast<std::size_t>(key)]).fetch_add(values[&key - first], std::memory_order_relaxed);
  });
}};

}  // namespace rafter::scatter_ladder::cpu
#endif
