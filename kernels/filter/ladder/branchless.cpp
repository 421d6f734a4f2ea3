// branchless: every element is written, and the output index advances only if the element is kept, so there is no
// branch to mispredict. One thread. A small buffer takes the writes, because the last one may be of an element that is
// dropped.
#include <algorithm>

#include "filter/cpu/filter_satisfies.hpp"
#include "filter/filter_rung.hpp"

namespace rafter::filter_ladder::cpu {

extern const FilterRung branchless{[]<class T>(const Stream&, FilterArgs<T> args) {
  constexpr std::size_t buffered = 1024;
  require_full_capacity(args.in, args.out);
  const Range<T> range = range_of(args.keep);
  T buffer[buffered + 1];
  std::size_t n_written = 0;
  for (std::size_t first = 0; first < args.in.size(); first += buffered) {
    const std::size_t end = std::min(first + buffered, args.in.size());
    std::size_t n_kept = 0;
    for (std::size_t i = first; i < end; ++i) {
      buffer[n_kept] = args.in[i];
      n_kept += satisfies(range, args.in[i]) ? 1 : 0;
    }
    std::copy(buffer, buffer + n_kept, args.out.data() + n_written);
    n_written += n_kept;
  }
  *args.count = static_cast<std::int64_t>(n_written);
}};

}  // namespace rafter::filter_ladder::cpu
