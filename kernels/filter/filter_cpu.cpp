// two_passes: in each round, every thread counts the kept elements of a chunk that fits in its cache; after a barrier
// it knows its output offset and writes them. Memory is read once and the order is preserved. Bound by memory
// bandwidth.
#include <omp.h>

#include <algorithm>

#include "filter/filter_range_of.hpp"
#include "filter/filter_rung.hpp"
#include "filter/filter_simd.hpp"
#include "library/core/arithmetic.hpp"

namespace rafter::filter_ladder::cpu {

namespace {

constexpr std::int64_t chunk_bytes = 256 << 10;  // fits in a core's L2; 128 KiB is 9 % slower (Neoverse-V1)

}  // namespace

extern const FilterRung two_passes{[]<class T>(const Stream& stream, FilterArgs<T> args) {
  constexpr std::int64_t per_chunk = chunk_bytes / static_cast<std::int64_t>(sizeof(T));
  const Range<T> range = range_of(args.keep);
  const auto& loops = filter_loops().of(args.in.data());
  const std::int64_t n = std::ssize(args.in);
  const std::int64_t capacity = std::ssize(args.out);
  const std::int64_t n_chunks = ceil_div(n, per_chunk);
  if (n_chunks <= 1) {
    *args.count = loops.count(args.in.data(), n, range);
    const std::int64_t n_written = std::min(*args.count, capacity);
    if (n_written > 0) loops.compact(args.in.data(), n, range, args.out.data(), n_written);
    return;
  }

  const int most_threads = static_cast<int>(std::min<std::int64_t>(n_chunks, stream.n_threads()));
  auto* counts = reinterpret_cast<std::int64_t*>(stream.scratch(2 * most_threads * std::int64_t{sizeof(std::int64_t)}));
#pragma omp parallel num_threads(most_threads)
  {
    const int n_threads = omp_get_num_threads();
    const int thread = omp_get_thread_num();
    std::int64_t before = 0;  // elements kept in all earlier rounds
    std::int64_t* round_counts = counts;
    for (std::int64_t first = 0; first < n_chunks; first += n_threads) {
      const std::int64_t at = (first + thread) * per_chunk;
      const std::int64_t length = std::clamp<std::int64_t>(n - at, 0, per_chunk);
      const std::int64_t mine = length > 0 ? loops.count(args.in.data() + at, length, range) : 0;
      round_counts[thread] = mine;
#pragma omp barrier
      std::int64_t place = before;
      for (int i = 0; i < n_threads; ++i) {
        if (i == thread) place = before;
        before += round_counts[i];
      }
      const std::int64_t n_written = std::min(mine, capacity - place);
      if (n_written > 0) loops.compact(args.in.data() + at, length, range, args.out.data() + place, n_written);
      // Two sets of counts alternate: slower threads may still read this round's. The next barrier orders their reads
      // before the set is written again.
      round_counts = round_counts == counts ? counts + n_threads : counts;
    }
    if (thread == 0) *args.count = before;
  }
}};

}  // namespace rafter::filter_ladder::cpu
