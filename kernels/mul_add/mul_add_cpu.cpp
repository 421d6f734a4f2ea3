// threads: out[i] = a[i] * b[i] + c[i], one contiguous part per thread, vectorised, with streaming stores where the
// caches could not hold the output.
// Bound by memory bandwidth: three arrays are read, one is written.
#include <algorithm>

#include "library/core/cpu/blocks.hpp"
#include "library/core/parts.hpp"
#include "mul_add/mul_add_rung.hpp"
#include "mul_add/mul_add_simd.hpp"

namespace rafter::mul_add_ladder::cpu {

namespace {

template <class T>
void mul_add_part(Factors<T> in, std::int64_t n, T* out, Stores stores) {
  mul_add_loops()(in, n, out, stores);
}

/// Computes 16-bit elements block by block as floats. Blocks end at cache-line boundaries of the output.
template <core::SixteenBits T>
void mul_add_part(Factors<T> in, std::int64_t n, T* out, Stores stores) {
  constexpr std::int64_t most = 2048;  // 24 KiB of floats
  alignas(64) float a[most], b[most], c[most];
  const auto past_line = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(out) % 64 / sizeof(T));
  for (std::int64_t first = 0, last; first < n; first = last) {
    last = std::min(first == 0 ? most - past_line : first + most, n);
    core::widen(in.a + first, last - first, a);
    core::widen(in.b + first, last - first, b);
    core::widen(in.c + first, last - first, c);
    mul_add_loops().f32({a, b, c}, last - first, a, Stores::cached);
    core::round(a, last - first, out + first, stores);
  }
}

}  // namespace

extern const MulAddRung threads{[]<class T>(const Stream& stream, MulAddArgs<T> args) {
  const std::int64_t n = std::ssize(args.out);
  const std::int64_t bytes = 4 * n * static_cast<std::int64_t>(sizeof(T));
  // An input that is overwritten is already in the caches.
  const bool in_place = args.in.a == args.out.data() || args.in.b == args.out.data() || args.in.c == args.out.data();
  const Stores stores = in_place ? Stores::cached : core::stores_for(bytes);
  core::for_parts(core::threads_for_bytes(stream, bytes), n, [&](std::int64_t first, std::int64_t last) {
    const Factors<T> in = {args.in.a + first, args.in.b + first, args.in.c + first};
    mul_add_part(in, last - first, args.out.data() + first, stores);
  });
}};

}  // namespace rafter::mul_add_ladder::cpu
