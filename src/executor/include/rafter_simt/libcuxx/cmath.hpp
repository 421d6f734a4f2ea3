// <cuda/cmath>: integers rounded to multiples and powers.
#pragma once

#include "rafter_simt/libcuxx/bit.hpp"

namespace cuda {

template <class T, class U>
constexpr ::std::common_type_t<T, U> ceil_div(T a, U b) {
  using Both = ::std::common_type_t<T, U>;
  const Both over = static_cast<Both>(a), under = static_cast<Both>(b);
  return static_cast<Both>(over / under + (over % under != 0));
}
template <class T, class U>
constexpr ::std::common_type_t<T, U> round_up(T a, U b) {
  return static_cast<::std::common_type_t<T, U>>(cuda::ceil_div(a, b) * b);
}
template <class T, class U>
constexpr ::std::common_type_t<T, U> round_down(T a, U b) {
  using Both = ::std::common_type_t<T, U>;
  return static_cast<Both>(static_cast<Both>(a) / static_cast<Both>(b) * static_cast<Both>(b));
}
template <class T>
constexpr bool is_power_of_two(T x) {
  return cuda::std::has_single_bit(static_cast<::std::make_unsigned_t<T>>(x));
}
template <class T>
constexpr T next_power_of_two(T x) {
  return static_cast<T>(cuda::std::bit_ceil(static_cast<::std::make_unsigned_t<T>>(x)));
}
template <class T>
constexpr int ilog2(T x) {
  return cuda::std::bit_width(static_cast<::std::make_unsigned_t<T>>(x)) - 1;
}

}  // namespace cuda
