// Random floating-point input: a mixture, so that no shortcut fits that is right for numbers of one kind only.
#pragma once

#include <bit>
#include <cstdint>

#include "workbench/lab/data/random_bits.hpp"

namespace rafter::bench {

/// Returns a number in [2^exponent, 2^(exponent + 1)) with a random mantissa.
constexpr double random_of_magnitude(int exponent, std::uint64_t bits) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52 | lab::mix(bits) >> 12);
}

/// Returns element `index` of the mixture, on the host and on a GPU the same. Runs of 61 elements are of one kind:
/// uniform in [-1, 1) for the most part, or of any magnitude up to 16, negative, multiples of a quarter, one value,
/// ascending, one large value among small ones, zeros, or multiples of `smallest`, which is the smallest positive
/// number of the type. No magnitude exceeds 32, whose exponential is finite in all types.
constexpr double mixed_number(std::uint64_t seed, std::int64_t index, double smallest) {
  constexpr std::int64_t run_length = 61;  // a prime: runs begin anywhere in a tile, a warp or a vector
  const std::int64_t run = index / run_length, place = index % run_length;
  const std::uint64_t of_run = lab::random_bits(~seed, run), bits = lab::random_bits(seed, index);
  const double unit = static_cast<double>(bits >> 11) * 0x1p-53, run_unit = static_cast<double>(of_run >> 11) * 0x1p-53;
  const double sign = (bits & 1) != 0 ? -1 : 1;
  switch (of_run & 15) {
    case 0: return sign * random_of_magnitude(static_cast<int>(28 * unit) - 24, bits);
    case 1: return sign * random_of_magnitude(static_cast<int>(4 * unit), bits);
    case 2: return -unit;
    case 3: return static_cast<double>(static_cast<int>(9 * unit) - 4) / 4;
    case 4: return 4 * run_unit - 2;
    case 5: return 4 * (static_cast<double>(place) + unit) / run_length - 2;
    case 6: return place == static_cast<std::int64_t>(run_unit * run_length) ? 32 * sign : 2 * unit - 1;
    case 7: return 0 * sign;
    case 8: return sign * static_cast<double>(1 + static_cast<int>(1000 * unit)) * smallest;
    default: return 2 * unit - 1;
  }
}

}  // namespace rafter::bench
