// Random floating-point input: a mixture, so that no shortcut fits that is right for numbers of one kind only.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "workbench/lab/data/generate.hpp"

namespace rafter::bench {

/// Returns element `index` of the mixture. Runs of 61 elements are of one kind: uniform in [-1, 1) for the most part,
/// or of any magnitude up to 16, negative, multiples of a quarter, one value, ascending, one large value among small
/// ones, zeros, or multiples of `smallest`, which is the smallest positive number of the type. No magnitude exceeds 32,
/// whose exponential is finite in all types.
inline double mixed_number(std::uint64_t seed, std::int64_t index, double smallest) {
  constexpr std::int64_t run_length = 61;  // a prime: runs begin anywhere in a tile, a warp or a vector
  const std::int64_t run = index / run_length, place = index % run_length;
  const std::uint64_t of_run = lab::random_bits(~seed, run), bits = lab::random_bits(seed, index);
  const double unit = static_cast<double>(bits >> 11) * 0x1p-53, run_unit = static_cast<double>(of_run >> 11) * 0x1p-53;
  const double sign = (bits & 1) != 0 ? -1 : 1;
  switch (of_run & 15) {
    case 0: return sign * std::exp2(-24 + 28 * unit);
    case 1: return sign * std::exp2(4 * unit);
    case 2: return -unit;
    case 3: return static_cast<double>(static_cast<int>(9 * unit) - 4) / 4;
    case 4: return 4 * run_unit - 2;
    case 5: return 4 * (static_cast<double>(place) + unit) / run_length - 2;
    case 6: return place == static_cast<std::int64_t>(run_unit * run_length) ? 32 * sign : 2 * unit - 1;
    case 7: return 0 * sign;
    case 8: return sign * std::floor(1 + 1000 * unit) * smallest;
    default: return 2 * unit - 1;
  }
}

}  // namespace rafter::bench
