// plain: one accumulator.
// Every addition waits for the one before it: one element per add latency (2 to 4 clocks), whatever the vector width.
#include "sum/sum_rung.hpp"

namespace rafter::sum_ladder::cpu {

template <class T>
void plain(const Stream&, std::span<const T> in, T* out) {
  T total = 0;
  for (T x : in) total += x;
  *out = total;
}

RAFTER_SUM_RUNG(plain);

}  // namespace rafter::sum_ladder::cpu
