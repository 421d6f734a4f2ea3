// A rung: one implementation for one device, with a function for each combination of the family's types.
//
// A family declares the arguments and the types of its rungs once,
//
//   template <class T>
//   struct SumArgs { ... };
//   using SumRung = core::RungOf<SumArgs, SumTypes>;
//
// and a rung is an object, defined in its own file:
//
//   extern const SumRung plain{[]<class T>(const Stream& stream, SumArgs<T> args) { ... }};
//
// A rung for some of the types constrains its lambda, []<core::OwnAccumulator T>, and rejects the others.
#pragma once

#include <tuple>
#include <type_traits>

#include "rafter/error.hpp"
#include "rafter/stream.hpp"
#include "rafter/types.hpp"

namespace rafter::core {

template <class... Args>
class Rung {
 public:
  /// Wraps a lambda without captures that can be called as f(stream, args) for all or some of Args.
  template <class F>
  constexpr Rung(F) : functions_{&call<F, Args>...} {
    static_assert(std::is_empty_v<F>, "a lambda, not a pointer to a function: only its type is kept");
  }
  Rung(const Rung&) = delete;

  /// Calls the function for these arguments. Throws Error (unsupported) if there is none.
  template <class A>
  void operator()(const Stream& stream, const A& args) const {
    std::get<void (*)(const Stream&, const A&)>(functions_)(stream, args);
  }

 private:
  template <class F, class A>
  static void call(const Stream& stream, const A& args) {
    if constexpr (std::is_invocable_v<F, const Stream&, const A&>) {
      F{}(stream, args);
    } else {
      throw Error(ErrorCode::unsupported, "this rung does not support elements of this type");
    }
  }

  std::tuple<void (*)(const Stream&, const Args&)...> functions_;
};

/// The rung type of a family that takes Args<T> for all T of a list, or Args<T, U> for two lists.
template <template <class...> class Args, class... Lists>
using RungOf = ForTypes<Rung, Args, Lists...>;

}  // namespace rafter::core
