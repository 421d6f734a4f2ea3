// plain: one accumulator.
// Every addition waits for the previous one: one element per addition latency (2 to 4 clocks), regardless of vector
// width.
#include "sum/sum_rung.hpp"

namespace rafter::sum_ladder::cpu {

extern const SumRung plain{[]<class T>(const Stream&, SumArgs<T> args) {
  using Sum = std::conditional_t<core::is_float<T>, core::Accumulator<T>, std::uint64_t>;
  Sum total = 0;
  for (T x : args.in) total += static_cast<Sum>(x);
  *args.out = static_cast<SumResult<T>>(total);
}};

}  // namespace rafter::sum_ladder::cpu
