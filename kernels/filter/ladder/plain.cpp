// plain: a branch per element, which the processor guesses wrong half of the time when half are kept.
#include "filter/filter_rung.hpp"
#include "filter/kept.hpp"

namespace rafter::filter_ladder::cpu {

template <class T>
void plain(const Stream&, std::span<const T> in, Predicate<T> keep, std::span<T> out, std::int64_t* count, Order) {
  const Range<T> range = range_of(keep);
  std::size_t n_kept = 0;
  for (const T x : in) {
    if (!is_kept(range, x)) continue;
    if (n_kept < out.size()) out[n_kept] = x;
    ++n_kept;
  }
  *count = static_cast<std::int64_t>(n_kept);
}

RAFTER_FILTER_RUNG(plain);

}  // namespace rafter::filter_ladder::cpu
