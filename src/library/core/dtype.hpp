// Traits of the element types.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "rafter/half.hpp"
#include "rafter/types.hpp"

namespace rafter::core {

/// The hardware unit that executes the arithmetic of a type. Each has its own roof.
enum class ArithmeticUnit { integer, fp32, fp64 };

/// Traits of an element type: its name in parameters and results, the type of its sums, and its arithmetic unit. 16-bit
/// floats are computed in float.
template <class T>
struct DType;

template <>
struct DType<float> {
  static constexpr const char* name = "float32";
  using Accumulator = float;
  static constexpr ArithmeticUnit unit = ArithmeticUnit::fp32;
};
template <>
struct DType<double> {
  static constexpr const char* name = "float64";
  using Accumulator = double;
  static constexpr ArithmeticUnit unit = ArithmeticUnit::fp64;
};
template <>
struct DType<Half> {
  static constexpr const char* name = "float16";
  using Accumulator = float;
  static constexpr ArithmeticUnit unit = ArithmeticUnit::fp32;
};
template <>
struct DType<Bfloat16> {
  static constexpr const char* name = "bfloat16";
  using Accumulator = float;
  static constexpr ArithmeticUnit unit = ArithmeticUnit::fp32;
};
template <>
struct DType<std::int32_t> {
  static constexpr const char* name = "int32";
  using Accumulator = std::int32_t;
  static constexpr ArithmeticUnit unit = ArithmeticUnit::integer;
};
template <>
struct DType<std::int64_t> {
  static constexpr const char* name = "int64";
  using Accumulator = std::int64_t;
  static constexpr ArithmeticUnit unit = ArithmeticUnit::integer;
};

template <class T>
using Accumulator = typename DType<T>::Accumulator;

/// Types whose arithmetic is done in the type itself: all but 16-bit floats.
template <class T>
concept OwnAccumulator = std::is_same_v<T, Accumulator<T>>;

/// Whether T is a floating-point type, of 16 bits or more.
template <class T>
inline constexpr bool is_float = DType<T>::unit != ArithmeticUnit::integer;

/// The distance from 1 to the next number of a floating-point type.
template <class T>
inline constexpr double epsilon = 0;
template <>
inline constexpr double epsilon<float> = 0x1p-23;
template <>
inline constexpr double epsilon<double> = 0x1p-52;
template <>
inline constexpr double epsilon<Half> = 0x1p-10;
template <>
inline constexpr double epsilon<Bfloat16> = 0x1p-7;

/// Returns the error of rounding a number from its accumulator to T: 0 if they are the same type, half of the last bit
/// if T has fewer bits.
template <class T>
constexpr double rounding_error(double value) {
  constexpr double least = std::is_same_v<T, Half> ? 0x1p-24 : 0x1p-133;  // subnormal
  if (OwnAccumulator<T>) return 0;
  const double magnitude = value < 0 ? -value : value;
  return (epsilon<T> * magnitude > least ? epsilon<T> * magnitude : least) / 2;
}

/// All element types, for lookup by name.
using AllTypes = Types<float, double, Half, Bfloat16, std::int32_t, std::int64_t>;

/// Returns the size of the type with this name; 0 if there is no such type.
template <class... T>
constexpr std::int64_t bytes_of(std::string_view name, Types<T...>) {
  std::int64_t bytes = 0;
  static_cast<void>(((name == DType<T>::name && (bytes = sizeof(T)) > 0) || ...));
  return bytes;
}
constexpr std::int64_t bytes_of(std::string_view name) { return bytes_of(name, AllTypes{}); }

}  // namespace rafter::core
