// plain: one loop on one thread.
// The compiler vectorises it where it can see that `out` overlaps no input; one core cannot fill the memory's queue.
#include <type_traits>

#include "mul_add/mul_add_rung.hpp"

namespace rafter::mul_add_ladder::cpu {

template <class T>
void plain(const Stream&, Factors<T> in, std::span<T> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    if constexpr (std::is_integral_v<T>) {
      using Unsigned = std::make_unsigned_t<T>;  // overflow wraps
      out[i] = static_cast<T>(static_cast<Unsigned>(in.a[i]) * static_cast<Unsigned>(in.b[i]) +
                              static_cast<Unsigned>(in.c[i]));
    } else {
      out[i] = in.a[i] * in.b[i] + in.c[i];
    }
  }
}

RAFTER_MUL_ADD_RUNG(plain);

}  // namespace rafter::mul_add_ladder::cpu
