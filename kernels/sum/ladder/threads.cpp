// threads: every thread sums one contiguous part with the simd loop.
// All cores load at once: bound by memory bandwidth. The bits of the result depend on the number of threads
// and on their order.
#include <atomic>

#include "library/core/parts.hpp"
#include "sum/cpu/sum_array.hpp"
#include "sum/sum_rung.hpp"

namespace rafter::sum_ladder::cpu {

extern const SumRung threads{[]<Float T>(const Stream& stream, SumArgs<T> args) {
  std::atomic<double> total = 0;
  core::for_parts(stream.n_threads(), std::ssize(args.in), [&](std::int64_t first, std::int64_t last) {
    total += sum_array(args.in.data() + first, last - first);
  });
  *args.out = static_cast<T>(total.load());
}};

}  // namespace rafter::sum_ladder::cpu
