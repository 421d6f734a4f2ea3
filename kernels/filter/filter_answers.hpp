// The reference of filter: what is kept of each part of the array.
#pragma once

#include "library/core/bits.hpp"
#include "workbench/lab/data/comparator.hpp"
#include "workbench/lab/data/generate.hpp"

namespace rafter::filter_ladder {

inline constexpr std::int64_t filter_part_elements = 4096;
inline constexpr double filter_integer_range = 1 << 30;

/// Evenly spread over (-1, 1), or for integers over (-2^30, 2^30).
template <class T>
struct EvenlySpread {
  static constexpr bool has_device_code = true;
  std::uint64_t seed = 0;

  constexpr double operator()(std::int64_t index) const {
    const std::uint64_t bits = lab::random_bits(seed, index);
    const double share = (static_cast<double>(bits >> 12) + 0.5) / static_cast<double>(std::uint64_t{1} << 52);
    const double signed_share = (bits & 1) != 0 ? share : -share;
    return std::is_integral_v<T> ? static_cast<double>(static_cast<std::int64_t>(signed_share * filter_integer_range))
                                 : signed_share;
  }
};

/// A number of elements, and what their fingerprints add up to: the same in any order, and another for almost any other
/// elements.
struct KeptElements {
  std::int64_t n = 0;
  std::uint64_t fingerprints = 0;
  std::int64_t n_foreign = 0;  // that should not have been kept

  constexpr void add(const KeptElements& other) {
    n += other.n;
    fingerprints += other.fingerprints;
    n_foreign += other.n_foreign;
  }
};

/// An array in parts, and what is to be kept of it: magnitudes below the bound.
template <class T>
struct FilterParts {
  std::int64_t n;
  T bound;

  constexpr std::int64_t first(std::int64_t part) const { return part * filter_part_elements; }
  constexpr std::int64_t end(std::int64_t part) const { return first(part + 1) < n ? first(part + 1) : n; }
  constexpr bool is_kept(T x) const { return (x < 0 ? -x : x) < bound; }
  static constexpr std::uint64_t fingerprint(T x) { return lab::mix(std::bit_cast<core::BitsOf<T>>(x)); }
};

/// What is kept of a part of the input.
template <class T>
struct KeptOfPart {
  static constexpr bool has_device_code = true;
  FilterParts<T> parts;
  EvenlySpread<T> in;

  constexpr KeptElements operator()(std::int64_t part) const {
    KeptElements kept;
    for (std::int64_t i = parts.first(part); i < parts.end(part); ++i) {
      const T x = static_cast<T>(in(i));
      if (parts.is_kept(x)) kept.add({1, parts.fingerprint(x), 0});
    }
    return kept;
  }
};

/// Holds what should have been kept of a part of the input against where it should stand.
template <class T>
struct CompareKeptOfPart {
  static constexpr bool has_device_code = true;
  FilterParts<T> parts;
  EvenlySpread<T> in;
  const std::int64_t* n_before;  // [n_parts], kept of all parts before
  const T* out;

  constexpr lab::Tally operator()(std::int64_t part) const {
    lab::Tally tally;
    std::int64_t place = n_before[part];
    for (std::int64_t i = parts.first(part); i < parts.end(part); ++i) {
      const T x = static_cast<T>(in(i));
      if (!parts.is_kept(x)) continue;
      lab::compare_element(tally, place, out[place], x);
      ++place;
    }
    return tally;
  }
};

/// What is in a part of the output that may be in any order.
template <class T>
struct ElementsOfPart {
  static constexpr bool has_device_code = true;
  FilterParts<T> parts;  // of the output
  const T* out;

  constexpr KeptElements operator()(std::int64_t part) const {
    KeptElements kept;
    for (std::int64_t i = parts.first(part); i < parts.end(part); ++i)
      kept.add({1, parts.fingerprint(out[i]), parts.is_kept(out[i]) ? 0 : 1});
    return kept;
  }
};

/// Elements that nobody may write: as poison() leaves them.
template <class T>
struct Untouched {
  static constexpr bool has_device_code = true;
  constexpr T operator()(std::int64_t) const { return std::bit_cast<T>(static_cast<core::BitsOf<T>>(-1)); }
};

}  // namespace rafter::filter_ladder
