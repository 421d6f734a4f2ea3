// simd: a vector's comparisons give a bit mask, which selects from a table the shuffle that moves the kept lanes to the
// front. One thread. It marks a cached part before it writes it, so that it writes nothing past the last kept element.
#include <algorithm>
#include <array>

#include "filter/filter_range_of.hpp"
#include "filter/filter_rung.hpp"
#include "filter/filter_simd.hpp"

namespace rafter::filter_ladder::cpu {

extern const FilterRung simd{[]<class T>(const Stream&, FilterArgs<T> args) {
  constexpr std::int64_t at_once = 1 << 16;  // elements; they stay in the cache between marking and writing
  const Range<T> range = range_of(args.keep);
  const auto& loops = filter_loops().of(args.in.data());
  std::array<std::uint64_t, at_once / word_elements> words;
  std::int64_t n_kept = 0;
  for (std::int64_t first = 0; first < std::ssize(args.in); first += at_once) {
    const std::int64_t n = std::min(at_once, std::ssize(args.in) - first);
    const std::int64_t more = loops.mark(args.in.data() + first, n, range, words.data());
    const std::int64_t n_written = std::min(more, std::ssize(args.out) - n_kept);
    if (n_written > 0) loops.compact(args.in.data() + first, n, words.data(), args.out.data() + n_kept, n_written);
    n_kept += more;
  }
  *args.count = n_kept;
}};

}  // namespace rafter::filter_ladder::cpu
