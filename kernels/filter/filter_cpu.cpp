// two_passes: a thread takes the next chunk, which fits in its cache, and marks the kept elements as bits; when all
// earlier chunks are counted, it knows its output offset and writes them. Memory is read once and the order is
// preserved. Bound by memory bandwidth.
#include <algorithm>
#include <array>

#include "filter/cpu/filter_write_kept.hpp"
#include "filter/filter_range_of.hpp"
#include "filter/filter_rung.hpp"
#include "filter/filter_simd.hpp"
#include "library/core/arithmetic.hpp"
#include "library/core/parts.hpp"

namespace rafter::filter_ladder::cpu {

namespace {

constexpr std::int64_t chunk_bytes = 256 << 10;  // fits in a core's L2; 128 KiB is 9 % slower (Neoverse-V1)

}  // namespace

extern const FilterRung two_passes{[]<class T, class What>(const Stream& stream, FilterArgs<T, What> args) {
  constexpr std::int64_t per_chunk = chunk_bytes / static_cast<std::int64_t>(sizeof(T));
  using Words = std::array<std::uint64_t, per_chunk / word_elements>;
  const Range<T> range = range_of(args.keep);
  const auto& loops = filter_loops().of(args.in.data());
  const std::int64_t n = std::ssize(args.in);
  const std::int64_t capacity = std::ssize(args.out);
  const std::int64_t n_chunks = ceil_div(n, per_chunk);
  if (n_chunks <= 1) {
    Words words;
    *args.count = loops.mark(args.in.data(), n, range, words.data());
    const std::int64_t n_written = std::min(*args.count, capacity);
    if (n_written > 0) write_kept(args, words.data(), {0, n}, {0, n_written});
    return;
  }

  std::int64_t before = 0;  // elements kept in all chunks that have had their turn
  core::ChunkOrder order;
  core::run_parts(core::threads_for(stream, n_chunks, 1), [&](int) {
    Words words;
    for (std::int64_t chunk; (chunk = order.claim()) < n_chunks;) {
      const std::int64_t at = chunk * per_chunk;
      const std::int64_t length = std::min(per_chunk, n - at);
      const std::int64_t mine = loops.mark(args.in.data() + at, length, range, words.data());
      std::int64_t place = 0;
      order.in_turn(chunk, [&] {
        place = before;
        before += mine;
      });
      const std::int64_t n_written = std::min(mine, capacity - place);
      if (n_written > 0) write_kept(args, words.data(), {at, length}, {place, n_written});
    }
  });
  *args.count = before;
}};

}  // namespace rafter::filter_ladder::cpu
