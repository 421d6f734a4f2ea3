// Operations that depend on the active lanes: assignments, conditions, division, calls.
#pragma once

#include "rafter_simt/lanes/memory.hpp"

namespace rafter_simt::lanes {

RAFTER_SIMT_LANES Mask select(Mask mask, Mask a, Mask b) { return (mask & a) | (!mask & b); }
template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>>
RAFTER_SIMT_LANES Lanes<T> select(Mask mask, const Lanes<T>& a, const Lanes<T>& b) {
  const auto bits = converted<MaskWord<sizeof(T)>>(mask.bits);
  return Lanes<T>(by_parts<T>([&](int p) RAFTER_SIMT_LAMBDA { return bits.parts[p] ? a.v.parts[p] : b.v.parts[p]; }));
}
template <class T, class = std::enable_if_t<std::is_class<T>::value>, class = void>
RAFTER_SIMT_LANES Lanes<T> select(Mask mask, const Lanes<T>& a, const Lanes<T>& b) {
  constexpr bool has_z = n_members<T> != 2, has_w = n_members<T> == 4;
  Lanes<T> result = b;
  result.x = select(mask, a.x, b.x), result.y = select(mask, a.y, b.y);
  if constexpr (has_z) result.z = select(mask, a.z, b.z);
  if constexpr (has_w) result.w = select(mask, a.w, b.w);
  return result;
}

/// Converts a value to the type of a variable that differs from lane to lane.
template <class T, class V>
RAFTER_SIMT_LANES LanesOf<T> widened(const V& value) {
  if constexpr (std::is_same<V, LanesOf<T>>::value) {
    return value;
  } else if constexpr (std::is_same<T, bool>::value) {
    return to_mask(value);
  } else if constexpr (!std::is_class<T>::value) {
    return Lanes<T>(value);
  } else if constexpr (n_members<T> == 2) {
    return {value.x, value.y};
  } else if constexpr (n_members<T> == 3) {
    return {value.x, value.y, value.z};
  } else {
    return {value.x, value.y, value.z, value.w};
  }
}

template <class T, class V>
RAFTER_SIMT_LANES void assign(Mask mask, Lanes<T>& variable, const V& value) {
  variable = select(mask, widened<T>(value), variable);
}
template <class V>
RAFTER_SIMT_LANES void assign(Mask mask, Mask& variable, const V& value) {
  variable = select(mask, widened<bool>(value), variable);
}

/// Evaluates `a && b`, where b must not be evaluated for lanes in which a is false.
template <class A, class B>
RAFTER_SIMT_LANES Mask and_then(Mask mask, const A& a, const B& b) {
  const Mask first = to_mask(a), asked = mask & first;
  return any(asked) ? first & to_mask(b(asked)) : Mask::of(false);
}
template <class A, class B>
RAFTER_SIMT_LANES Mask or_else(Mask mask, const A& a, const B& b) {
  const Mask first = to_mask(a), asked = mask & !first;
  return any(asked) ? first | to_mask(b(asked)) : first;
}
template <class A, class B>
using ChosenType = std::conditional_t<std::is_same<LaneType<A>, LaneType<B>>::value, LaneType<A>, Common<A, B>>;
/// Evaluates `condition ? a : b`, where both may be evaluated for all lanes.
template <class C, class A, class B>
RAFTER_SIMT_LANES auto blend(const C& condition, const A& a, const B& b) {
  using T = ChosenType<A, B>;
  return select(to_mask(condition), widened<T>(a), widened<T>(b));
}
/// Evaluates `condition ? a : b`, where each may be evaluated only for the lanes that need it.
template <class C, class A, class B>
RAFTER_SIMT_LANES auto choose(Mask mask, const C& condition, const A& a, const B& b) {
  using T = ChosenType<std::decay_t<decltype(a(mask))>, std::decay_t<decltype(b(mask))>>;
  const Mask is_first = to_mask(condition), firsts = mask & is_first, seconds = mask & !is_first;
  if (!any(seconds)) return widened<T>(a(firsts));
  if (!any(firsts)) return widened<T>(b(seconds));
  return select(is_first, widened<T>(a(firsts)), widened<T>(b(seconds)));
}

/// Returns the divisor, with 1 in inactive lanes: x / 0 and INT_MIN / -1 of integers would trap there too.
template <class T, class B>
RAFTER_SIMT_LANES Lanes<T> divisor(Mask mask, const B& b) {
  if constexpr (is_wide<B> && std::is_integral<T>::value) {
    return select(mask, Lanes<T>(b), Lanes<T>(1));
  } else {
    return Lanes<T>(b);
  }
}
/// Returns the dividend, with 0 in inactive lanes if the divisor is uniform and may be -1.
template <class T, class B, class A>
RAFTER_SIMT_LANES Lanes<T> dividend(Mask mask, const A& a) {
  if constexpr (!is_wide<B> && std::is_integral<T>::value && std::is_signed<T>::value) {
    return select(mask, Lanes<T>(a), Lanes<T>(0));
  } else {
    return Lanes<T>(a);
  }
}
template <class A, class B>
RAFTER_SIMT_LANES auto divide(Mask mask, const A& a, const B& b) {
  if constexpr (!is_wide<A> && !is_wide<B>) {
    return a / b;
  } else {
    using T = Common<A, B>;
    return Lanes<T>(RAFTER_SIMT_BY_PARTS(T, (dividend<T, B>(mask, a)), /, divisor<T>(mask, b)));
  }
}
template <class A, class B>
RAFTER_SIMT_LANES auto remainder(Mask mask, const A& a, const B& b) {
  if constexpr (!is_wide<A> && !is_wide<B>) {
    return a % b;
  } else {
    using T = Common<A, B>;
    return Lanes<T>(RAFTER_SIMT_BY_PARTS(T, (dividend<T, B>(mask, a)), %, divisor<T>(mask, b)));
  }
}

/// The lanes of a register as an array, which the compiler vectorises again where it can; a uniform value stays as it
/// is.
template <class T>
struct Spread {
  T values[lanes_per_register];
  RAFTER_SIMT_LANES T at(int lane) const { return values[lane]; }
};
template <class T>
struct Same {
  const T& value;
  RAFTER_SIMT_LANES const T& at(int) const { return value; }
};
template <class V>
RAFTER_SIMT_LANES auto spread(const V& value, int part) {
  if constexpr (!is_wide<V>) {
    return Same<V>{value};
  } else {
    using T = LaneType<V>;
    Spread<T> all;
    if constexpr (std::is_arithmetic<T>::value && !std::is_same<T, bool>::value) {
      const Lanes<T> lanes(value);
      __builtin_memcpy(all.values, &lanes.v.parts[part], sizeof(all.values));
    } else {
      for (int i = 0; i < lanes_per_register; ++i) all.values[i] = lane(value, part * lanes_per_register + i);
    }
    return all;
  }
}

/// Applies a function without side effects to all lanes; `values` may be uniform.
template <class F, class... V>
RAFTER_SIMT_LANES auto each(F function, const V&... values) {
  using T = std::decay_t<decltype(function(lane(values, 0)...))>;
  T results[n_lanes];
  for (int p = 0; p < n_parts; ++p) {
    [&](const auto&... spread_values) RAFTER_SIMT_LAMBDA {
      for (int i = 0; i < lanes_per_register; ++i)
        results[p * lanes_per_register + i] = function(spread_values.at(i)...);
    }(spread(values, p)...);
  }
  if constexpr (std::is_arithmetic<T>::value && sizeof(T) >= 4) {
    Lanes<T> result;
    __builtin_memcpy(&result.v, results, sizeof(results));
    return result;
  } else {
    return gathered(results);
  }
}
/// Applies any other function to the active lanes.
template <class F, class... V>
RAFTER_SIMT_LANES auto each_active(Mask mask, F function, const V&... values) {
  using T = std::decay_t<decltype(function(lane(values, 0)...))>;
  T results[n_lanes]{};
  for (int i = 0; i < n_lanes; ++i) {
    if (mask.has(i)) results[i] = function(lane(values, i)...);
  }
  return gathered(results);
}

/// The threadIdx of consecutive threads of a row.
struct LaneIndex {
  Linear<unsigned> x;
  unsigned y, z;
};

/// A kernel's body for `width` threads of a row.
template <class Body>
struct InLanes {
  static constexpr unsigned width = n_lanes;
  Body body;

  RAFTER_SIMT_LANES void run(uint3 first, uint3 block, Extents shape, Extents grid) const {
    Body copy = body;
    copy(LaneIndex{{first.x}, first.y, first.z}, block, shape, grid);
  }
};
template <class Body>
RAFTER_SIMT_LANES InLanes<Body> in_lanes(Body body) {
  return {body};
}

}  // namespace rafter_simt::lanes
