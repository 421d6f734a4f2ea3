// Values of several threads at once: consecutive threads of a row, one per lane of the CPU's vector registers. The
// rewriter (build/rewrite/lanes/) uses them for kernels that are loops over threads and contain loops of their own,
// because compilers do not vectorise outer loops. Operators work lane by lane; a comparison gives a mask. A value that
// is the same for all lanes stays a scalar.
#pragma once

#include <type_traits>

#include "rafter_simt/abi.hpp"

#define RAFTER_SIMT_LANES __attribute__((always_inline)) inline
#define RAFTER_SIMT_LAMBDA __attribute__((always_inline))

namespace rafter_simt::lanes {

// Two registers per value where there are 32 of them, so that independent instructions overlap.
#if defined(__AVX512VL__)
inline constexpr int lanes_per_register = 8, n_parts = 2;  // compilers prefer this to 16
#elif defined(__AVX__)
inline constexpr int lanes_per_register = 8, n_parts = 1;
#else
inline constexpr int lanes_per_register = 4, n_parts = 2;
#endif
inline constexpr int n_lanes = lanes_per_register * n_parts;

template <class T>
struct PartOf {
  typedef T type __attribute__((vector_size(sizeof(T) * lanes_per_register)));
};
template <class T>
using Part = typename PartOf<T>::type;

template <class T>
struct Vector {
  Part<T> parts[n_parts];
  RAFTER_SIMT_LANES T operator[](int lane) const { return parts[lane / lanes_per_register][lane % lanes_per_register]; }
  RAFTER_SIMT_LANES void set(int lane, T value) { parts[lane / lanes_per_register][lane % lanes_per_register] = value; }
};

/// Returns a vector of the results of `compute` for each part.
template <class T, class Compute>
RAFTER_SIMT_LANES Vector<T> by_parts(Compute compute) {
  static_assert(n_parts <= 2, "");
  Vector<T> result;
  result.parts[0] = compute(0);
  if constexpr (n_parts == 2) result.parts[1] = compute(1);
  return result;
}
template <class T, class U>
RAFTER_SIMT_LANES Vector<T> converted(const Vector<U>& from) {
  return by_parts<T>([&](int p) RAFTER_SIMT_LAMBDA { return __builtin_convertvector(from.parts[p], Part<T>); });
}

template <std::size_t bytes>
using MaskWord = std::conditional_t<bytes == 8, long long, int>;

/// A set of lanes: a word per lane with all bits set or none.
struct Mask {
  Vector<int> bits;

  static RAFTER_SIMT_LANES Mask of(bool all) {
    return {by_parts<int>([&](int) RAFTER_SIMT_LAMBDA { return Part<int>{} - (all ? 1 : 0); })};
  }
  friend RAFTER_SIMT_LANES Mask operator&(Mask a, Mask b) {
    return {by_parts<int>([&](int p) RAFTER_SIMT_LAMBDA { return a.bits.parts[p] & b.bits.parts[p]; })};
  }
  friend RAFTER_SIMT_LANES Mask operator|(Mask a, Mask b) {
    return {by_parts<int>([&](int p) RAFTER_SIMT_LAMBDA { return a.bits.parts[p] | b.bits.parts[p]; })};
  }
  friend RAFTER_SIMT_LANES Mask operator^(Mask a, Mask b) {
    return {by_parts<int>([&](int p) RAFTER_SIMT_LAMBDA { return a.bits.parts[p] ^ b.bits.parts[p]; })};
  }
  friend RAFTER_SIMT_LANES Mask operator!(Mask a) {
    return {by_parts<int>([&](int p) RAFTER_SIMT_LAMBDA { return ~a.bits.parts[p]; })};
  }
  RAFTER_SIMT_LANES bool has(int lane) const { return bits[lane] != 0; }
};

RAFTER_SIMT_LANES bool any(Mask mask) {
  Part<int> all = mask.bits.parts[0];
  for (int p = 1; p < n_parts; ++p) all |= mask.bits.parts[p];
  typedef unsigned long long Words __attribute__((vector_size(sizeof(all))));
  const Words words = (Words)all;
  unsigned long long word = 0;
  for (int i = 0; i < lanes_per_register / 2; ++i) word |= words[i];
  return word != 0;
}
RAFTER_SIMT_LANES bool all(Mask mask) { return !any(!mask); }

/// The values first, first + 1, ...: indices of consecutive threads.
template <class T>
struct Linear {
  T first;
};

template <class T, class = void>
struct Lanes;

// The type of a value in each lane.
template <class V>
struct LaneTypeOf {
  using type = V;
};
template <class T>
struct LaneTypeOf<Lanes<T>> {
  using type = T;
};
template <class T>
struct LaneTypeOf<Linear<T>> {
  using type = T;
};
template <>
struct LaneTypeOf<Mask> {
  using type = bool;
};
template <class V>
using LaneType = typename LaneTypeOf<V>::type;

/// Whether lanes may differ.
template <class V>
inline constexpr bool is_wide = !std::is_same<LaneType<V>, V>::value;
template <class V>
inline constexpr bool is_value = std::is_arithmetic<LaneType<V>>::value;
template <class V>
inline constexpr bool is_linear = is_wide<V>&& std::is_same<V, Linear<LaneType<V>>>::value;

template <class T>
RAFTER_SIMT_LANES T lane(const Lanes<T>& value, int lane) {
  return value.at(lane);
}
template <class T>
RAFTER_SIMT_LANES T lane(Linear<T> value, int lane) {
  return static_cast<T>(value.first + static_cast<T>(lane));
}
RAFTER_SIMT_LANES bool lane(Mask value, int lane) { return value.has(lane); }
template <class T, class = std::enable_if_t<!is_wide<T>>>
RAFTER_SIMT_LANES const T& lane(const T& value, int) {
  return value;
}

template <class T>
struct Lanes<T, std::enable_if_t<std::is_arithmetic<T>::value>> {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "narrower numbers are promoted, and bool is a mask");
  Vector<T> v;

  Lanes() = default;
  RAFTER_SIMT_LANES explicit Lanes(const Vector<T>& vector) : v(vector) {}
  template <class U, class = std::enable_if_t<std::is_arithmetic<U>::value>>
  RAFTER_SIMT_LANES Lanes(U value)
      : v(by_parts<T>([&](int) RAFTER_SIMT_LAMBDA { return static_cast<T>(value) - Part<T>{}; })) {}
  template <class U, class = std::enable_if_t<std::is_arithmetic<U>::value>, class = void>
  RAFTER_SIMT_LANES Lanes(const Lanes<U>& value) : v(converted<T>(value.v)) {}
  template <class U>
  RAFTER_SIMT_LANES Lanes(Linear<U> value)
      : v(converted<T>(by_parts<U>([&](int p) RAFTER_SIMT_LAMBDA {
          Part<U> part;
          for (int i = 0; i < lanes_per_register; ++i) part[i] = static_cast<U>(p * lanes_per_register + i);
          return part + value.first;
        }))) {}
  RAFTER_SIMT_LANES Lanes(Mask mask)
      : v(converted<T>(by_parts<int>([&](int p) RAFTER_SIMT_LAMBDA { return mask.bits.parts[p] & 1; }))) {}
  RAFTER_SIMT_LANES T at(int lane) const { return v[lane]; }
};

/// CUDA's vector types: one register per member.
template <class T, class = void>
inline constexpr bool has_same_z = false;
template <class T>
inline constexpr bool has_same_z<T, std::void_t<decltype(T::z)>> = std::is_same<decltype(T::x), decltype(T::z)>::value;
template <class T, class = void>
inline constexpr bool has_same_w = false;
template <class T>
inline constexpr bool has_same_w<T, std::void_t<decltype(T::w)>> = std::is_same<decltype(T::x), decltype(T::w)>::value;
/// The number of members of a type that consists of x, y, z and w of one type; 0 for any other type.
template <class T, class = void>
inline constexpr int n_members = 0;
template <class T>
inline constexpr int n_members<T, std::void_t<decltype(T::x), decltype(T::y)>> =
    !std::is_same<decltype(T::x), decltype(T::y)>::value              ? 0
    : sizeof(T) == 2 * sizeof(T::x)                                   ? 2
    : sizeof(T) == 3 * sizeof(T::x) && has_same_z<T>                  ? 3
    : sizeof(T) == 4 * sizeof(T::x) && has_same_z<T> && has_same_w<T> ? 4
                                                                      : 0;
template <class T>
struct Lanes<T, std::enable_if_t<n_members<T> == 2>> {
  Lanes<decltype(T::x)> x, y;
  RAFTER_SIMT_LANES T at(int lane) const { return {x.at(lane), y.at(lane)}; }
};
template <class T>
struct Lanes<T, std::enable_if_t<n_members<T> == 3>> {
  Lanes<decltype(T::x)> x, y, z;
  RAFTER_SIMT_LANES T at(int lane) const { return {x.at(lane), y.at(lane), z.at(lane)}; }
};
template <class T>
struct Lanes<T, std::enable_if_t<n_members<T> == 4>> {
  Lanes<decltype(T::x)> x, y, z, w;
  RAFTER_SIMT_LANES T at(int lane) const { return {x.at(lane), y.at(lane), z.at(lane), w.at(lane)}; }
};

}  // namespace rafter_simt::lanes
