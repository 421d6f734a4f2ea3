// plain: one loop in one thread.
// The compiler vectorises it if it can prove that `out` overlaps no input. One core cannot saturate memory.
#include <type_traits>

#include "library/core/dtype.hpp"
#include "mul_add/mul_add_rung.hpp"

namespace rafter::mul_add_ladder::cpu {

extern const MulAddRung plain{[]<class T>(const Stream&, MulAddArgs<T> args) {
  for (std::size_t i = 0; i < args.out.size(); ++i) {
    if constexpr (std::is_integral_v<T>) {
      using Unsigned = std::make_unsigned_t<T>;  // overflow wraps
      args.out[i] = static_cast<T>(static_cast<Unsigned>(args.in.a[i]) * static_cast<Unsigned>(args.in.b[i]) +
                                   static_cast<Unsigned>(args.in.c[i]));
    } else {
      using Float = core::Accumulator<T>;
      args.out[i] = static_cast<T>(static_cast<Float>(args.in.a[i]) * static_cast<Float>(args.in.b[i]) +
                                   static_cast<Float>(args.in.c[i]));
    }
  }
}};

}  // namespace rafter::mul_add_ladder::cpu
