// The reference of filter: the elements kept from each part of the array, as functions of the part's index.
#pragma once

#include "library/core/bits.hpp"
#include "workbench/lab/data/comparator.hpp"
#include "workbench/lab/data/generate.hpp"

namespace rafter::filter_ladder {

inline constexpr std::int64_t filter_part_elements = 4096;
inline constexpr double filter_integer_range = 1 << 30;

/// Elements uniformly distributed over (-1, 1), or for integers over (-2^30, 2^30).
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

/// The number of elements and the sum of their fingerprints. The sum does not depend on the order and differs for
/// almost any other set of elements.
struct KeptElements {
  std::int64_t n = 0;
  std::uint64_t fingerprints = 0;
  std::int64_t n_foreign = 0;  // elements that should not have been kept

  constexpr void add(const KeptElements& other) {
    n += other.n;
    fingerprints += other.fingerprints;
    n_foreign += other.n_foreign;
  }
};

/// An array divided into parts, and the predicate: magnitudes below the bound are kept.
template <class T>
struct FilterParts {
  std::int64_t n;
  T bound;

  constexpr std::int64_t first(std::int64_t part) const { return part * filter_part_elements; }
  constexpr std::int64_t end(std::int64_t part) const { return first(part + 1) < n ? first(part + 1) : n; }
  constexpr bool is_kept(T x) const { return (x < 0 ? -x : x) < bound; }
  static constexpr std::uint64_t fingerprint(T x) { return lab::mix(std::bit_cast<core::BitsOf<T>>(x)); }
};

/// Counts the kept elements of a part of the input.
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

/// Compares the elements that must be kept from a part of the input with the output at their indices.
template <class T>
struct CompareKeptOfPart {
  static constexpr bool has_device_code = true;
  FilterParts<T> parts;
  EvenlySpread<T> in;
  const std::int64_t* n_before;  // [n_parts], elements kept from all earlier parts
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

/// Counts the elements of a part of an unordered output.
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

/// Elements that must not be written: they keep the bits that poison() left.
template <class T>
struct Untouched {
  static constexpr bool has_device_code = true;
  constexpr T operator()(std::int64_t) const { return std::bit_cast<T>(static_cast<core::BitsOf<T>>(-1)); }
};

}  // namespace rafter::filter_ladder
