// Shifts as PTX has them: a count of the width or more shifts everything out, where CPUs take it modulo the width. The
// rewriter turns `a << n` in code for kernels into `a << clamped << n`, which every operand and precedence survives.
#pragma once

#include <type_traits>

namespace rafter_simt {

struct Clamped {};
inline constexpr Clamped clamped;

/// Counts are unsigned and have 32 bits, so that negative ones are large.
template <class T, class N>
constexpr bool is_all(N count) {
  return static_cast<unsigned>(count) >= 8 * sizeof(T);
}
template <class T>
inline constexpr bool is_number = std::is_integral<T>::value || std::is_enum<T>::value;

/// The left side of a shift.
template <class T>
struct Shifted {
  T value;

  template <class N>
  constexpr auto operator<<(N count) const {
    if constexpr (is_number<N>) {
      return is_all<T>(count) ? T(0) : static_cast<T>(value << count);
    } else {
      return value << count;
    }
  }
  template <class N>
  constexpr auto operator>>(N count) const {
    if constexpr (is_number<N>) {
      return is_all<T>(count) ? (value < T(0) ? static_cast<T>(-1) : T(0)) : static_cast<T>(value >> count);
    } else {
      return value >> count;
    }
  }
};

/// The right side of a shift that assigns.
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
