// threads: one contiguous part per thread, in vectors, written past the caches where they could not hold it.
// Bound by memory bandwidth: three arrays in, one out.
#include "mul_add/mul_add_rung.hpp"
#include "mul_add/mul_add_simd.hpp"

namespace rafter::mul_add_ladder::cpu {

template <class T>
void threads(const Stream& stream, Factors<T> in, std::span<T> out) {
  constexpr std::int64_t min_part_elements = 16384;  // less does not pay for waking a thread
  const std::int64_t n = std::ssize(out);
  const MulAddLoops& loops = mul_add_loops();
  if (n < 2 * min_part_elements) return loops(in, n, out.data(), Stores::cached);

  // What was read as an input is in the caches when it is overwritten.
  const bool in_place = in.a == out.data() || in.b == out.data() || in.c == out.data();
  const Stores stores = in_place ? Stores::cached : core::stores_for(4 * n * static_cast<std::int64_t>(sizeof(T)));
  const std::int64_t n_parts = stream.n_threads();
#pragma omp parallel for schedule(static) num_threads(stream.n_threads())
  for (std::int64_t part = 0; part < n_parts; ++part) {
    const std::int64_t first = n * part / n_parts;
    const std::int64_t last = n * (part + 1) / n_parts;
    loops({in.a + first, in.b + first, in.c + first}, last - first, out.data() + first, stores);
  }
}

RAFTER_MUL_ADD_RUNG(threads);

}  // namespace rafter::mul_add_ladder::cpu
