// <cuda/functional>: operators for reductions, and wrappers that give nvcc a lambda's result type.
#pragma once

#include <bits/stl_function.h>  // std::plus and the like: <functional> includes std::array, and programs have their own

#include "rafter_simt/libcuxx/std.hpp"

namespace cuda {

template <class T = void>
struct maximum {
  constexpr T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <>
struct maximum<void> {
  template <class A, class B>
  constexpr ::std::common_type_t<A, B> operator()(const A& a, const B& b) const {
    return a < b ? b : a;
  }
};

template <class T = void>
struct minimum {
  constexpr T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
template <>
struct minimum<void> {
  template <class A, class B>
  constexpr ::std::common_type_t<A, B> operator()(const A& a, const B& b) const {
    return b < a ? b : a;
  }
};

template <class Result, class F>
struct ProclaimedReturn {
  F f;
  template <class... Arguments>
  constexpr Result operator()(Arguments&&... arguments) const {
    return f(static_cast<Arguments&&>(arguments)...);
  }
  template <class... Arguments>
  constexpr Result operator()(Arguments&&... arguments) {
    return f(static_cast<Arguments&&>(arguments)...);
  }
};

template <class Result, class F>
constexpr ProclaimedReturn<Result, ::std::decay_t<F>> proclaim_return_type(F&& f) {
  return {static_cast<F&&>(f)};
}
template <class F>
constexpr ::std::decay_t<F> proclaim_copyable_arguments(F&& f) {
  return static_cast<F&&>(f);
}

}  // namespace cuda
