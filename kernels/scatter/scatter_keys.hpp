// The keys of a case: in any order or sorted, with distributions that make reductions by key easy or hard.
#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>

#include "rafter/scatter.hpp"
#include "workbench/lab/data/generate.hpp"

namespace rafter::lab {

enum class Spread {
  uniform,
  skewed,    ///< every second element has key 0
  equal,     ///< all elements have the key in the middle
  distinct,  ///< all keys are equally frequent: at most once, if there are enough keys
  strays,    ///< uniform, but one in eight is out of range
};

inline Spread spread_named(std::string_view word) {
  return word == "skewed"     ? Spread::skewed
         : word == "equal"    ? Spread::equal
         : word == "distinct" ? Spread::distinct
         : word == "strays"   ? Spread::strays
                              : Spread::uniform;
}

struct KeyGenerator {
  std::int64_t n;
  std::int64_t n_keys;
  Spread spread;
  KeyOrder order;
  std::uint64_t seed;

  std::int64_t operator()(std::int64_t i) const {
    if (n_keys == 0) return random_below(seed, i, 7) - 3;
    if (spread == Spread::equal) return n_keys / 2;
    return order == KeyOrder::sorted ? sorted(i) : unsorted(i);
  }

 private:
  std::int64_t unsorted(std::int64_t i) const {
    const std::uint64_t bits = random_bits(seed, i);
    if (spread == Spread::distinct) return (i * 7919 + static_cast<std::int64_t>(seed % 1000)) % n_keys;
    if (spread == Spread::skewed && (bits >> 63) != 0) return 0;
    if (spread == Spread::strays && bits >> 61 == 0) return (bits & 1) != 0 ? n_keys + (bits >> 8) % 9 : stray_below(i);
    return static_cast<std::int64_t>((bits & ~(std::uint64_t{1} << 63)) % static_cast<std::uint64_t>(n_keys));
  }

  std::int64_t sorted(std::int64_t i) const {
    switch (spread) {
      case Spread::skewed: return i < n / 2 ? 0 : in_steps(i - n / 2, n - n / 2);
      case Spread::strays:
        if (i < n / 16) return -1 - (n / 16 - i) / 3;
        if (i >= n - n / 16) return n_keys + (i - (n - n / 16)) / 3;
        return in_steps(i - n / 16, n - 2 * (n / 16));
      case Spread::distinct: return evenly(i, n);
      default: return in_steps(i, n);
    }
  }

  std::int64_t stray_below(std::int64_t i) const { return -1 - random_below(seed + 1, i, 1000); }

  /// Returns the key at the fraction i / of of the way from 0 to n_keys.
  std::int64_t evenly(std::int64_t i, std::int64_t of) const {
    const double x = static_cast<double>(i) / static_cast<double>(of);
    return std::min(static_cast<std::int64_t>(x * static_cast<double>(n_keys)), n_keys - 1);
  }

  /// Returns keys like evenly(), but every stretch of 4096 elements advances through its keys at a different pace, so
  /// that there are runs of all lengths.
  std::int64_t in_steps(std::int64_t i, std::int64_t of) const {
    constexpr std::int64_t stretch = 4096;
    const std::int64_t first = i / stretch * stretch;
    const std::int64_t length = std::min(stretch, of - first);
    const std::int64_t from = evenly(first, of);
    const std::int64_t to = first + length == of ? n_keys : evenly(first + length, of);
    const double x = static_cast<double>(i - first) / static_cast<double>(length);
    const auto power = static_cast<double>(1 + random_below(seed, first, 3));
    const double way = power == 1 ? x : power == 2 ? x * x : x * x * x;
    return std::min(from + static_cast<std::int64_t>(way * static_cast<double>(to - from)), n_keys - 1);
  }
};

}  // namespace rafter::lab
