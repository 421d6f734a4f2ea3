// plain: one loop on one thread.
// The compiler stores whole vectors; one core cannot fill the memory's queue, and on x86 every line is read first.
#include "fill/fill_rung.hpp"

namespace rafter::fill_ladder::cpu {

extern const FillRung plain{[]<class T>(const Stream&, FillArgs<T> args) {
  for (T& x : args.out) x = args.value;
}};

}  // namespace rafter::fill_ladder::cpu
