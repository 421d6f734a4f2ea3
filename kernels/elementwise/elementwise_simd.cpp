// Computes out[i] of the elementwise maps in one thread. Bound by memory: every element is read and written once.
#include "elementwise/elementwise_simd.hpp"

namespace rafter::elementwise_ladder::cpu {

namespace {

template <class T>
constexpr bool is_float = false;
template <>
constexpr bool is_float<float> = true;
template <>
constexpr bool is_float<double> = true;

template <class T>
struct UnsignedOf {
  using type = std::uint64_t;
};
template <>
struct UnsignedOf<std::int32_t> {
  using type = std::uint32_t;
};

/// Reads an element that may be overwritten as another type.
template <class T>
inline T load(const T* from) {
  T value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}
template <class T>
inline void store(T* to, T value) {
  __builtin_memcpy(to, &value, sizeof value);
}

/// The NaN with all bits set but the sign.
template <class T>
inline T quiet_nan() {
  const auto bits = static_cast<typename UnsignedOf<T>::type>(-1) >> 1;
  T value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
template <>
inline float quiet_nan<float>() {
  const std::uint32_t bits = 0x7fffffff;
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

/// Returns a * b + c, rounded once.
inline double multiply_add(double a, double b, double c) { return __builtin_fma(a, b, c); }

/// The product; integers wrap around.
template <class T>
inline T product(T a, T b) {
  if constexpr (is_float<T>) {
    return a * b;
  } else {
    using Unsigned = typename UnsignedOf<T>::type;
    return static_cast<T>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
  }
}

/// Rounds to odd: towards zero, with the last bit set if the result is inexact.
inline float round_to_odd(double value) {
  const auto nearest = static_cast<float>(value);
  const auto back = static_cast<double>(nearest);
  std::uint32_t bits;
  __builtin_memcpy(&bits, &nearest, sizeof bits);
  const std::uint32_t odd = (__builtin_fabs(back) > __builtin_fabs(value) ? bits - 1 : bits) | 1;
  bits = back == value ? bits : odd;
  float result;
  __builtin_memcpy(&result, &bits, sizeof result);
  return value != value ? quiet_nan<float>() : result;
}
inline float round_to_odd(float value) { return value != value ? quiet_nan<float>() : value; }
inline float round_to_odd(std::int32_t value) { return round_to_odd(static_cast<double>(value)); }
/// The last bits of large integers become one that is set if any of them was: they fit a double then.
inline float round_to_odd(std::int64_t value) {
  constexpr std::int64_t exact = std::int64_t{1} << 53, last = 0x7ff;
  const std::int64_t odd = (value & last) != 0 ? (value | last << 1) & ~last : value;
  return round_to_odd(static_cast<double>(value >= exact || value <= -exact ? odd : value));
}

template <class To, class From>
inline To converted(From value) {
  if constexpr (is_float<To>) {
    const auto result = static_cast<To>(value);
    if constexpr (!is_float<From>) return result;
    return value != value ? quiet_nan<To>() : result;
  } else if constexpr (is_float<From>) {
    // What is converted is always in range, so that the loop has no branch.
    constexpr From end = sizeof(To) == 4 ? From(0x1p31) : From(0x1p63);
    constexpr auto most = static_cast<To>(static_cast<typename UnsignedOf<To>::type>(-1) >> 1);
    From safe = value < end ? value : 0;  // 0 for NaN
    safe = safe > -end ? safe : -end;
    const auto result = static_cast<To>(safe);
    return value >= end ? most : result;
  } else {
    constexpr From most = 0x7fffffff;
    if constexpr (sizeof(To) < sizeof(From)) value = value > most ? most : (value < -most - 1 ? -most - 1 : value);
    return static_cast<To>(value);
  }
}

template <class T>
inline T element(const Multiplication<T>& map, std::int64_t i) {
  return product(load(map.a + i), load(map.b + i));
}
template <class T>
inline T element(const Scaling<T>& map, std::int64_t i) {
  return product(load(map.a + i), map.factor);
}
template <class T>
inline T element(const Conversion<T, T>& map, std::int64_t i) {
  return load(map.in + i);
}
template <class From, class To>
inline To element(const Conversion<From, To>& map, std::int64_t i) {
  return converted<To>(load(map.in + i));
}
template <class From>
inline float element(const OddFloats<From>& map, std::int64_t i) {
  return round_to_odd(load(map.in + i));
}
template <class T>
inline T element(const Sequence<T>& map, std::int64_t i) {
  if constexpr (is_float<T>) {
    return static_cast<T>(multiply_add(static_cast<double>(map.first + i), map.step, map.start));
  } else {
    using Unsigned = typename UnsignedOf<T>::type;
    return static_cast<T>(static_cast<Unsigned>(map.start) +
                          static_cast<Unsigned>(map.first + i) * static_cast<Unsigned>(map.step));
  }
}
inline float element(const OddSequence& map, std::int64_t i) {
  return round_to_odd(multiply_add(static_cast<double>(map.first + i), map.step, map.start));
}

// Every element is read before it is written, and only its own iteration accesses it. So `out` may be an input, and the
// loop has no dependencies (ivdep).
template <class Map>
void cached(const Map& given, std::int64_t first, std::int64_t last, typename Map::Out* out) {
  const Map map = given;
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
  for (std::int64_t i = first; i < last; ++i) store(out + i, element(map, i));
}

template <class Map>
void array(const Map& map, std::int64_t n, typename Map::Out* out, Stores stores) {
  using Out = typename Map::Out;
  constexpr std::int64_t line = 64 / sizeof(Out);
  if (stores == Stores::cached) return cached(map, 0, n, out);
  const auto past_line = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(out) % 64 / sizeof(Out));
  std::int64_t i = (line - past_line) % line;
  if (i > n) i = n;
  cached(map, 0, i, out);
  for (; i + line <= n; i += line) {
    alignas(64) Out results[line];
    for (std::int64_t j = 0; j < line; ++j) results[j] = element(map, i + j);
    core::streaming_copy_line(out + i, results);
  }
  cached(map, i, n, out);
  core::streaming_fence();
}

template <class... Map>
constexpr ElementwiseLoopsOf<Map...> loops_of(const ElementwiseLoopsOf<Map...>*) {
  return {{array<Map>}...};
}
template <class T>
constexpr ElementwiseLoopsFrom<T> loops_from() {
  return loops_of(static_cast<const ElementwiseLoopsFrom<T>*>(nullptr));
}

}  // namespace

RAFTER_ISA_TABLE(ElementwiseLoops, elementwise_loops) = {loops_from<float>(), loops_from<double>(),
                                                         loops_from<std::int32_t>(), loops_from<std::int64_t>(),
                                                         ElementwiseLoop<OddSequence>{array<OddSequence>}};

}  // namespace rafter::elementwise_ladder::cpu
