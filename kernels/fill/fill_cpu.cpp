// threads: out[i] = value, one contiguous part per thread, by vector stores that bypass the caches where the array
// exceeds them. Bound by the write bandwidth of memory.
#include "fill/fill_rung.hpp"
#include "fill/fill_simd.hpp"
#include "library/core/parts.hpp"

namespace rafter::fill_ladder::cpu {

extern const FillRung threads{[]<class T>(const Stream& stream, FillArgs<T> args) {
  constexpr std::int64_t min_part_elements = 16384;  // a smaller part costs less than waking a thread (heuristic)
  const std::int64_t n = std::ssize(args.out);
  const FillLoops& loops = fill_loops();
  const core::Stores stores = core::stores_for(n * static_cast<std::int64_t>(sizeof(T)));
  core::for_parts(core::threads_for(stream, n, min_part_elements), n, [&](std::int64_t first, std::int64_t last) {
    loops(args.out.data() + first, last - first, args.value, stores);
  });
}};

}  // namespace rafter::fill_ladder::cpu
