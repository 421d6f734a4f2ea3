// Shifts as in PTX: a count of at least the width shifts everything out, whereas CPUs take it modulo the width. The
// rewriter turns `a << n` in device code into `a << clamped << n`, which works for every operand and precedence.
#pragma once

#include <type_traits>

namespace rafter_simt {

struct Clamped {};
inline constexpr Clamped clamped;

/// Whether the count shifts everything out. Counts are unsigned 32-bit numbers, so negative ones are large.
template <class T, class N>
constexpr bool is_all(N count) {
  return static_cast<unsigned>(count) >= 8 * sizeof(T);
}
template <class T>
inline constexpr bool is_number = std::is_integral<T>::value || std::is_enum<T>::value;

/// The left operand of a shift.
template <class T>
struct Shifted {
  T value;

  template <class N>
  constexpr auto operator<<(N count) const {
    if constexpr (is_number<N>) {
      return is_all<T>(count) ? T(0) : static_cast<T>(value << static_cast<unsigned>(count));
    } else {
      return value << count;
    }
  }
  template <class N>
  constexpr auto operator>>(N count) const {
    if constexpr (is_number<N>) {
      return is_all<T>(count) ? (value < T(0) ? static_cast<T>(-1) : T(0))
                              : static_cast<T>(value >> static_cast<unsigned>(count));
    } else {
      return value >> count;
    }
  }
};

/// The right operand of a shift assignment.
template <class N>
struct Count {
  N value;
};

#define RAFTER_SIMT_SHIFT(op, assign)                                                                        \
  template <class T, std::enable_if_t<is_number<T>, int> = 0>                                                \
  constexpr auto operator op(T value, Clamped) {                                                             \
    return Shifted<decltype(+value)>{+value};                                                                \
  }                                                                                                          \
  template <class T, std::enable_if_t<std::is_class<std::remove_reference_t<T>>::value, int> = 0>            \
  constexpr T&& operator op(T&& value, Clamped) {                                                            \
    return static_cast<T&&>(value); /* its own operator follows */                                           \
  }                                                                                                          \
  template <class N>                                                                                         \
  constexpr Count<std::decay_t<N>> operator assign(Clamped, N&& count) {                                     \
    return {static_cast<N&&>(count)};                                                                        \
  }                                                                                                          \
  template <class T, class N>                                                                                \
  __attribute__((always_inline)) constexpr decltype(auto) operator assign(T& value, const Count<N>& count) { \
    if constexpr (is_number<std::remove_cv_t<T>>) {                                                          \
      return value = static_cast<std::remove_cv_t<T>>(value op clamped op count.value);                      \
    } else {                                                                                                 \
      return value assign count.value;                                                                       \
    }                                                                                                        \
  }
RAFTER_SIMT_SHIFT(<<, <<=)
RAFTER_SIMT_SHIFT(>>, >>=)
#undef RAFTER_SIMT_SHIFT

}  // namespace rafter_simt
