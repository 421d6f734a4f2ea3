// simd: 64 accumulators, which the compiler keeps in vector registers.
// The chain of additions is cut into 64, so the loop runs as fast as one core can load; still one core.
#include "sum/sum_rung.hpp"
#include "sum/sum_simd.hpp"

namespace rafter::sum_ladder::cpu {

template <class T>
void simd(const Stream&, std::span<const T> in, T* out) {
  *out = static_cast<T>(sum_loops()(in.data(), std::ssize(in)));
}

RAFTER_SUM_RUNG(simd);

}  // namespace rafter::sum_ladder::cpu
