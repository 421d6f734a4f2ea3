// threads: one contiguous part per thread, in vectors, written past the caches where they could not hold it.
// Bound by memory bandwidth: three arrays in, one out.
#include "mul_add/mul_add_rung.hpp"
#include "mul_add/mul_add_simd.hpp"

namespace rafter::mul_add_ladder::cpu {

extern const MulAddRung threads{[]<class T>(const Stream& stream, MulAddArgs<T> args) {
  constexpr std::int64_t min_part_elements = 16384;  // less does not pay for waking a thread
  const std::int64_t n = std::ssize(args.out);
  const MulAddLoops& loops = mul_add_loops();
  if (n < 2 * min_part_elements) return loops(args.in, n, args.out.data(), Stores::cached);

  // What was read as an input is in the caches when it is overwritten.
  const bool in_place = args.in.a == args.out.data() || args.in.b == args.out.data() || args.in.c == args.out.data();
  const Stores stores = in_place ? Stores::cached : core::stores_for(4 * n * static_cast<std::int64_t>(sizeof(T)));
  const std::int64_t n_parts = stream.n_threads();
#pragma omp parallel for schedule(static) num_threads(stream.n_threads())
  for (std::int64_t part = 0; part < n_parts; ++part) {
    const std::int64_t first = n * part / n_parts;
    const std::int64_t last = n * (part + 1) / n_parts;
    loops({args.in.a + first, args.in.b + first, args.in.c + first}, last - first, args.out.data() + first, stores);
  }
}};

}  // namespace rafter::mul_add_ladder::cpu
