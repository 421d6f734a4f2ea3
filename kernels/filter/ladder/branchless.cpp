// branchless: every element is written, and the place moves on only if it was to be kept. Nothing to guess; one thread.
// Through a small buffer, because the last write may be one too many.
#include <algorithm>

#include "filter/filter_rung.hpp"
#include "filter/kept.hpp"

namespace rafter::filter_ladder::cpu {

template <class T>
void branchless(const Stream&, std::span<const T> in, Predicate<T> keep, std::span<T> out, std::int64_t* count, Order) {
  constexpr std::size_t buffered = 1024;
  require_room(in, out);
  const Range<T> range = range_of(keep);
  T buffer[buffered + 1];
  std::size_t n_written = 0;
  for (std::size_t first = 0; first < in.size(); first += buffered) {
    const std::size_t end = std::min(first + buffered, in.size());
    std::size_t n_kept = 0;
    for (std::size_t i = first; i < end; ++i) {
      buffer[n_kept] = in[i];
      n_kept += is_kept(range, in[i]) ? 1 : 0;
    }
    std::copy(buffer, buffer + n_kept, out.data() + n_written);
    n_written += n_kept;
  }
  *count = static_cast<std::int64_t>(n_written);
}

RAFTER_FILTER_RUNG(branchless);

}  // namespace rafter::filter_ladder::cpu
