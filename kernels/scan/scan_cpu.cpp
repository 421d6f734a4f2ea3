// two_phases: out[i] = in[0] + ... + in[i], or without in[i]. A thread takes the next chunk, which stays in its cache,
// sums it, adds its sum to that of all earlier chunks, and writes the running sums. Memory is read once.
// The chunks depend on the element size alone, and their sums are added in order, so any number of threads gives the
// same bits. Bound by memory bandwidth.
#include <algorithm>
#include <type_traits>

#include "library/core/arithmetic.hpp"
#include "library/core/parts.hpp"
#include "scan/scan_rung.hpp"
#include "scan/scan_simd.hpp"

namespace rafter::scan_ladder::cpu {

namespace {

constexpr std::int64_t chunk_bytes = 256 << 10;  // stays in a core's cache; 128 KiB loses 6 %

template <class T>
struct Element {
  using type = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;
};

}  // namespace

extern const ScanRung two_phases{[]<class T>(const Stream& stream, ScanArgs<T> args) {
  using Unsigned = typename Element<T>::type;
  constexpr std::int64_t per_chunk = chunk_bytes / static_cast<std::int64_t>(sizeof(T));
  const auto* from = reinterpret_cast<const Unsigned*>(args.in.data());
  auto* to = reinterpret_cast<Unsigned*>(args.out.data());
  const auto& loops = scan_loops().of(args.in.data());
  const auto scan = args.kind == ScanKind::inclusive ? loops.inclusive : loops.exclusive;
  const std::int64_t n = std::ssize(args.in);
  const std::int64_t n_chunks = ceil_div(n, per_chunk);
  if (n_chunks <= 1) return scan(from, n, 0, to);

  Carry<T> before = 0;  // the sum of all chunks that have had their turn
  core::ChunkOrder order;
  core::run_parts(core::threads_for(stream, n_chunks, 1), [&](int) {
    for (std::int64_t chunk; (chunk = order.claim()) < n_chunks;) {
      const std::int64_t at = chunk * per_chunk;
      const std::int64_t length = std::min(per_chunk, n - at);
      const Carry<T> own = loops.sum(from + at, length);
      Carry<T> mine;
      order.in_turn(chunk, [&] {
        mine = before;
        before += own;
      });
      scan(from + at, length, mine, to + at);
    }
  });
}};

}  // namespace rafter::scan_ladder::cpu
