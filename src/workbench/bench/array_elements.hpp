// The elements of a user kernel's arrays by index, on the host or on the GPU: those of inputs, and expected ones.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "rafter/half.hpp"
#include "rafter/types.hpp"
#include "workbench/bench/arguments.hpp"
#include "workbench/bench/mixture.hpp"
#include "workbench/lab/data/comparator.hpp"

namespace rafter::bench {

using FloatTypes = Types<float, double, Half, Bfloat16>;
using IntegerTypes = Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                           std::uint32_t, std::uint64_t>;

/// The smallest positive number of a floating-point type, a denormal.
template <class T>
constexpr double smallest_of() {
  if constexpr (std::is_same_v<T, Half>) return 0x1p-24;
  if constexpr (std::is_same_v<T, Bfloat16>) return 0x1p-133;
  if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::denorm_min();
  return 0;
}

/// The elements of an array that a rule fills. The content of a file is in host memory.
template <class T>
struct FillElements {
  static constexpr bool has_device_code = true;
  Fill::Kind kind = Fill::Kind::none;
  double value = 0, low = 0, high = 0;
  std::uint64_t seed = 0;
  const std::byte* content = nullptr;

  constexpr bool reads_host_memory() const { return kind == Fill::Kind::file; }

  constexpr T operator()(std::int64_t i) const {
    switch (kind) {
      case Fill::Kind::none: return T{};
      case Fill::Kind::constant: return static_cast<T>(value);
      case Fill::Kind::arange: return static_cast<T>(i);
      case Fill::Kind::random: return random(i);
      case Fill::Kind::file: break;
    }
    T element{};
    std::memcpy(&element, content + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
    return element;
  }

 private:
  /// A random element. Floats without a range are a mixture, and integers are in [0, 100).
  constexpr T random(std::int64_t i) const {
    const std::uint64_t bits = lab::random_bits(seed, i);
    const bool has_range = low < high;
    if constexpr (std::is_integral_v<T>) {
      const double from = has_range ? low : 0, width = has_range ? high - low : 100;
      const auto whole = static_cast<std::uint64_t>(width);
      const std::uint64_t span = static_cast<double>(whole) < width ? whole + 1 : whole;
      return static_cast<T>(static_cast<std::int64_t>(from) + static_cast<std::int64_t>(bits % span));
    } else {
      if (!has_range) return static_cast<T>(mixed_number(seed, i, smallest_of<T>()));
      return static_cast<T>(low + (high - low) * (static_cast<double>(bits >> 11) * 0x1p-53));
    }
  }
};

/// The unsigned integer of the size of T.
template <class T>
using WordOf = std::conditional_t<
    sizeof(T) == 8, std::uint64_t,
    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;

/// Expected elements in the memory of the GPU, combined with bits that only the host knows: a kernel that finds them
/// there learns nothing.
template <class T>
struct SealedElements {
  static constexpr bool has_device_code = true;
  const WordOf<T>* words;
  std::uint64_t key;

  constexpr T operator()(std::int64_t i) const {
    return std::bit_cast<T>(static_cast<WordOf<T>>(words[i] ^ static_cast<WordOf<T>>(lab::random_bits(key, i))));
  }
};

/// Seals element `i`.
template <class T>
struct SealElement {
  static constexpr bool has_device_code = true;
  const T* from;
  WordOf<T>* to;
  std::uint64_t key;

  constexpr void operator()(std::int64_t i) const {
    to[i] =
        static_cast<WordOf<T>>(std::bit_cast<WordOf<T>>(from[i]) ^ static_cast<WordOf<T>>(lab::random_bits(key, i)));
  }
};

/// Allows an error relative to the larger of the element and `scale`.
constexpr lab::Expectation near(double value, double tolerance, double scale) {
  const double size = value < 0 ? -value : value;
  return {value, tolerance * (size > scale ? size : scale)};
}

/// Expected floating-point elements, with the errors that are allowed.
template <class T>
struct SealedExpectations {
  static constexpr bool has_device_code = true;
  SealedElements<T> elements;
  double tolerance;
  double scale;

  constexpr lab::Expectation operator()(std::int64_t i) const {
    return near(static_cast<double>(elements(i)), tolerance, scale);
  }
};

/// The squares of some numbers, added up.
struct SquareSum {
  double sum = 0;
  std::int64_t n = 0;

  constexpr void add(double value) {
    constexpr double largest = std::numeric_limits<double>::max();
    if (!(value >= -largest && value <= largest)) return;  // NaN or infinite
    sum += value * value;
    ++n;
  }
  constexpr void add(const SquareSum& other) {
    sum += other.sum;
    n += other.n;
  }
};

/// Adds up the squares of the finite elements of a part.
template <class T>
struct SquaresOfPart {
  static constexpr bool has_device_code = true;
  static constexpr std::int64_t part_elements = 4096;
  SealedElements<T> elements;
  std::int64_t n;

  constexpr SquareSum operator()(std::int64_t part) const {
    SquareSum all;
    const std::int64_t end = (part + 1) * part_elements < n ? (part + 1) * part_elements : n;
    for (std::int64_t i = part * part_elements; i < end; ++i) all.add(static_cast<double>(elements(i)));
    return all;
  }
};

}  // namespace rafter::bench
