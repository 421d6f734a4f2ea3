// <cuda/std/bit>: libcu++ has it in C++17, too.
#pragma once

#if __cplusplus >= 202002L
#include <bit>
#endif

#include "rafter_simt/libcuxx/std.hpp"

#if __cplusplus < 202002L
namespace cuda {
namespace std {

enum class endian { little = __ORDER_LITTLE_ENDIAN__, big = __ORDER_BIG_ENDIAN__, native = __BYTE_ORDER__ };

template <class To, class From>
constexpr To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From) && ::std::is_trivially_copyable<From>::value,
                "bit_cast requires equal sizes");
  return __builtin_bit_cast(To, from);
}

template <class T>
constexpr int bits_of = ::std::numeric_limits<T>::digits;

template <class T>
constexpr int popcount(T x) {
  return __builtin_popcountll(x);
}
template <class T>
constexpr int countl_zero(T x) {
  return x == 0 ? bits_of<T> : __builtin_clzll(x) - (64 - bits_of<T>);
}
template <class T>
constexpr int countr_zero(T x) {
  return x == 0 ? bits_of<T> : __builtin_ctzll(x);
}
template <class T>
constexpr int countl_one(T x) {
  return cuda::std::countl_zero(static_cast<T>(~x));
}
template <class T>
constexpr int countr_one(T x) {
  return cuda::std::countr_zero(static_cast<T>(~x));
}
template <class T>
constexpr int bit_width(T x) {
  return bits_of<T> - cuda::std::countl_zero(x);
}
template <class T>
constexpr bool has_single_bit(T x) {
  return cuda::std::popcount(x) == 1;
}
template <class T>
constexpr T bit_floor(T x) {
  return x == 0 ? T{0} : static_cast<T>(T{1} << (cuda::std::bit_width(x) - 1));
}
template <class T>
constexpr T bit_ceil(T x) {
  return x <= 1 ? T{1} : static_cast<T>(T{1} << cuda::std::bit_width(static_cast<T>(x - 1)));
}
template <class T>
constexpr T rotl(T x, int n) {
  const int left = (n % bits_of<T> + bits_of<T>) % bits_of<T>;
  return left == 0 ? x : static_cast<T>(static_cast<T>(x << left) | static_cast<T>(x >> (bits_of<T> - left)));
}
template <class T>
constexpr T rotr(T x, int n) {
  return cuda::std::rotl(x, -(n % bits_of<T>));
}

}  // namespace std
}  // namespace cuda
#endif
