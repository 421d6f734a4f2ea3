// simd: 64 accumulators, which the compiler keeps in vector registers.
// The 64 chains of additions are independent: the loop runs as fast as one core can load. Still one core.
#include "sum/cpu/sum_array.hpp"
#include "sum/sum_rung.hpp"

namespace rafter::sum_ladder::cpu {

extern const SumRung simd{[]<Float T>(const Stream&, SumArgs<T> args) {
  *args.out = static_cast<T>(sum_array(args.in.data(), std::ssize(args.in)));
}};

}  // namespace rafter::sum_ladder::cpu
