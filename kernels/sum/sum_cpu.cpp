// chunked: out = sum of in[0, n). The threads sum fixed chunks; the chunks' sums are added as a tree.
// The chunks depend on n alone, so the result has the same bits for any number of threads. Bound by the read bandwidth
// of memory.
#include <algorithm>
#include <array>

#include "library/core/arithmetic.hpp"
#include "library/core/parts.hpp"
#include "sum/cpu/sum_array.hpp"
#include "sum/sum_rung.hpp"

namespace rafter::sum_ladder::cpu {

namespace {

constexpr std::int64_t max_chunks = 1024;
constexpr std::int64_t min_chunk_elements = 16384;  // 64 KiB: long enough to hide the cost of scheduling a chunk

/// Adds x[0, n) as a balanced tree, so that the float64 error grows with the number of levels, not of chunks.
template <class Total>
Total sum_in_halves(const Total* x, std::int64_t n) {
  if (n <= 1) return n == 1 ? x[0] : 0;
  return sum_in_halves(x, n / 2) + sum_in_halves(x + n / 2, n - n / 2);
}

/// Sums in chunks on the stream's threads. Not inlined: the sums of the chunks make a large frame, which short arrays
/// need not touch.
template <class T>
__attribute__((noinline)) SumTotal<T> sum_in_chunks(const Stream& stream, const T* in, std::int64_t n) {
  const std::int64_t per_chunk = std::max(ceil_div(n, max_chunks), min_chunk_elements);
  const std::int64_t n_chunks = ceil_div(n, per_chunk);

  std::array<SumTotal<T>, max_chunks> partial;
  const int n_threads = core::threads_for_bytes(stream, n * std::int64_t{sizeof(T)});
  core::for_each_index(n_threads, n_chunks, [&](std::int64_t chunk) {
    const std::int64_t first = chunk * per_chunk;
    partial[static_cast<std::size_t>(chunk)] = sum_array(in + first, std::min(per_chunk, n - first));
  });
  return sum_in_halves(partial.data(), n_chunks);
}

}  // namespace

extern const SumRung chunked{[]<class T>(const Stream& stream, SumArgs<T> args) {
  const std::int64_t n = std::ssize(args.in);
  const T* in = args.in.data();
  *args.out = static_cast<SumResult<T>>(n <= min_chunk_elements ? sum_array(in, n) : sum_in_chunks(stream, in, n));
}};

}  // namespace rafter::sum_ladder::cpu
