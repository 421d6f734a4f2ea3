// threads: every thread sums one contiguous part with the simd loop.
// All cores load at once: bound by memory bandwidth. The bits of the result depend on the number of threads.
#include "sum/cpu/sum_array.hpp"
#include "sum/sum_rung.hpp"

namespace rafter::sum_ladder::cpu {

extern const SumRung threads{[]<class T>(const Stream& stream, SumArgs<T> args) {
  const std::int64_t n = std::ssize(args.in);
  const std::int64_t n_parts = stream.n_threads();
  double total = 0;
#pragma omp parallel for schedule(static) num_threads(stream.n_threads()) reduction(+ : total)
  for (std::int64_t part = 0; part < n_parts; ++part) {
    const std::int64_t first = n * part / n_parts;
    const std::int64_t last = n * (part + 1) / n_parts;
    total += sum_array(args.in.data() + first, last - first);
  }
  *args.out = static_cast<T>(total);
}};

}  // namespace rafter::sum_ladder::cpu
