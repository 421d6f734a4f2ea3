// plain: one loop on one thread.
// The compiler stores whole vectors; one core cannot fill the memory's queue, and on x86 every line is read first.
#include "fill/fill_rung.hpp"

namespace rafter::fill_ladder::cpu {

template <class T>
void plain(const Stream&, std::span<T> out, T value) {
  for (T& x : out) x = value;
}

RAFTER_FILL_RUNG(plain);

}  // namespace rafter::fill_ladder::cpu
