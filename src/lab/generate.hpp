// Input data: every element is a function of (seed, index), so that any number of threads makes the same array, and an
// array can be checked for changes without keeping a copy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lab/guarded_array.hpp"

namespace rafter::lab {

/// A well-mixed function of a counter (the finaliser of SplitMix64).
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

struct Generator {
  enum class Kind {
    whole,  ///< -8..8 without 0: sums below 2^24 are exact in any order, so one missing element shows at any size
    bell,   ///< mean 0, variance 1, the sum of four uniforms: rounding errors show
  };
  Kind kind = Kind::bell;
  std::uint64_t seed = 0;

  double operator()(std::int64_t index) const {
    const std::uint64_t bits = mix(seed ^ mix(static_cast<std::uint64_t>(index)));
    if (kind == Kind::whole) return static_cast<double>((bits & 7) + 1) * ((bits & 8) != 0 ? 1 : -1);
    const auto sum = (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48);
    constexpr double mean = 2 * 65535.;
    constexpr double deviation = 37837.2;  // sqrt(4/12) * 65536
    return (static_cast<double>(sum) - mean) / deviation;
  }
};

/// Fills the array from the generator.
template <class T>
void fill(GuardedArray<T>& array, const Generator& generator);

/// Nothing when the array still holds what the generator gave; otherwise where it changed.
template <class T>
std::optional<std::string> find_change(const GuardedArray<T>& array, const Generator& generator);

/// A seed nobody has seen before; printed with every result so that it can be given again.
std::uint64_t fresh_seed();

}  // namespace rafter::lab
