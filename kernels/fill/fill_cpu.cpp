// threads: out[i] = value, one contiguous part per thread, by vector stores that bypass the caches where the array
// exceeds them. Bound by the write bandwidth of memory.
#include "fill/fill_rung.hpp"
#include "fill/fill_simd.hpp"
#include "library/core/parts.hpp"

namespace rafter::fill_ladder::cpu {

extern const FillRung threads{[]<class T>(const Stream& stream, FillArgs<T> args) {
  const std::int64_t n = std::ssize(args.out);
  const FillLoops& loops = fill_loops();
  const std::int64_t bytes = n * static_cast<std::int64_t>(sizeof(T));
  const core::Stores stores = core::stores_for(bytes);
  core::for_parts(core::threads_for_bytes(stream, bytes), n, [&](std::int64_t first, std::int64_t last) {
    loops(args.out.data() + first, last - first, args.value, stores);
  });
}};

}  // namespace rafter::fill_ladder::cpu
