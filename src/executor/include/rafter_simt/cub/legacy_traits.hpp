// CUB's type traits from before C++11, which old programs still use.
#pragma once

#include <type_traits>

namespace cub {

template <bool condition, class Then, class Else>
struct If {
  using Type = std::conditional_t<condition, Then, Else>;
};

template <class A, class B>
struct Equals {
  enum { VALUE = std::is_same<A, B>::value, NEGATE = !VALUE };
};

template <class T>
struct IsPointer {
  enum { VALUE = std::is_pointer<T>::value };
};

template <class T>
struct IsVolatile {
  enum { VALUE = std::is_volatile<T>::value };
};

template <class T>
struct RemoveQualifiers {
  using Type = std::remove_cv_t<T>;
};

template <bool condition, class T = void>
struct EnableIf {
  using Type = std::enable_if_t<condition, T>;
};

template <class T>
void EmptyKernel() {}

}  // namespace cub
