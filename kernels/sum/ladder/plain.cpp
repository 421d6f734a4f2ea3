// plain: one accumulator.
// Every addition waits for the one before it: one element per add latency (2 to 4 clocks), whatever the vector width.
#include "sum/sum_rung.hpp"

namespace rafter::sum_ladder::cpu {

extern const SumRung plain{[]<class T>(const Stream&, SumArgs<T> args) {
  using Sum = core::Accumulator<T>;
  Sum total = 0;
  for (T x : args.in) total += static_cast<Sum>(x);
  *args.out = static_cast<T>(total);
}};

}  // namespace rafter::sum_ladder::cpu
