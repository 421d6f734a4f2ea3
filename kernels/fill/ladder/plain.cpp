// plain: one loop on one thread.
// The compiler emits vector stores. Limited by the stores one core can have in flight; on x86 every cache line is read
// before it is written.
#include "fill/fill_rung.hpp"

namespace rafter::fill_ladder::cpu {

extern const FillRung plain{[]<class T>(const Stream&, FillArgs<T> args) {
  for (T& x : args.out) x = args.value;
}};

}  // namespace rafter::fill_ladder::cpu
