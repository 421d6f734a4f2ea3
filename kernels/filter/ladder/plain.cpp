// plain: one branch per element on one thread. Limited by mispredicted branches: half of them when half are kept.
#include "filter/cpu/filter_satisfies.hpp"
#include "filter/filter_rung.hpp"

namespace rafter::filter_ladder::cpu {

extern const FilterRung plain{[]<class T>(const Stream&, FilterArgs<T> args) {
  const Range<T> range = range_of(args.keep);
  std::size_t n_kept = 0;
  for (const T x : args.in) {
    if (!satisfies(range, x)) continue;
    if (n_kept < args.out.size()) args.out[n_kept] = x;
    ++n_kept;
  }
  *args.count = static_cast<std::int64_t>(n_kept);
}};

}  // namespace rafter::filter_ladder::cpu
