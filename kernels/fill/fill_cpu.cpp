// threads: one contiguous part per thread, written in vectors and past the caches.
// Bound by the write bandwidth of memory.
#include "fill/fill_rung.hpp"
#include "fill/fill_simd.hpp"

namespace rafter::fill_ladder::cpu {

extern const FillRung threads{[]<class T>(const Stream& stream, FillArgs<T> args) {
  constexpr std::int64_t min_part_elements = 16384;  // less does not pay for waking a thread
  const std::int64_t n = std::ssize(args.out);
  const FillLoops& loops = fill_loops();
  if (n < 2 * min_part_elements) return loops(args.out.data(), n, args.value, core::Stores::cached);

  const core::Stores stores = core::stores_for(n * static_cast<std::int64_t>(sizeof(T)));
  const std::int64_t n_parts = stream.n_threads();
#pragma omp parallel for schedule(static) num_threads(stream.n_threads())
  for (std::int64_t part = 0; part < n_parts; ++part) {
    const std::int64_t first = n * part / n_parts;
    const std::int64_t last = n * (part + 1) / n_parts;
    loops(args.out.data() + first, last - first, args.value, stores);
  }
}};

}  // namespace rafter::fill_ladder::cpu
