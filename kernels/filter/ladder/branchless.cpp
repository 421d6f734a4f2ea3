// branchless: every element is written, and the place moves on only if it was to be kept. Nothing to guess; one thread.
// Through a small buffer, because the last write may be one too many.
#include <algorithm>

#include "filter/cpu/filter_satisfies.hpp"
#include "filter/filter_rung.hpp"

namespace rafter::filter_ladder::cpu {

extern const FilterRung branchless{[]<class T>(const Stream&, FilterArgs<T> args) {
  constexpr std::size_t buffered = 1024;
  require_room(args.in, args.out);
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
