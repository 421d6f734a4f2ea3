// two_phases: out[i] = in[0] + ... + in[i], or without in[i]. Each thread takes a chunk that stays in its cache; all
// threads sum their chunks, then all write their running sums, and take the next chunks. Memory is read once.
// The chunks depend on the element size alone, and their sums are added in order, so any number of threads gives the
// same bits. Bound by memory bandwidth.
#include <omp.h>

#include <algorithm>
#include <type_traits>

#include "library/core/arithmetic.hpp"
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
  const int most_threads = static_cast<int>(std::min<std::int64_t>(stream.n_threads(), n_chunks));
  if (n_chunks <= 1) return scan(from, n, 0, to);

  auto* sums = reinterpret_cast<Carry<T>*>(stream.scratch(2 * most_threads * std::int64_t{sizeof(Carry<T>)}));
#pragma omp parallel num_threads(most_threads)
  {
    const int n_threads = omp_get_num_threads();
    const int thread = omp_get_thread_num();
    Carry<T> before = 0;  // sum of all chunks of the previous rounds
    Carry<T>* round_sums = sums;
    for (std::int64_t first = 0; first < n_chunks; first += n_threads) {
      const std::int64_t at = (first + thread) * per_chunk;
      const std::int64_t length = std::clamp<std::int64_t>(n - at, 0, per_chunk);
      round_sums[thread] = length > 0 ? loops.sum(from + at, length) : Carry<T>{0};
#pragma omp barrier
      Carry<T> mine = before;
      for (int i = 0; i < n_threads; ++i) {
        if (i == thread) mine = before;
        before += round_sums[i];
      }
      if (length > 0) scan(from + at, length, mine, to + at);
      // Slower threads may still read this round's sums, so the next round writes the other half.
      round_sums = round_sums == sums ? sums + n_threads : sums;
    }
  }
}};

}  // namespace rafter::scan_ladder::cpu
