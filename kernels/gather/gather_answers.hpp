// Inputs of gather and the expected elements of its output.
#pragma once

#include <cstdint>
#include <limits>

#include "rafter/gather.hpp"
#include "workbench/lab/data/generate.hpp"

namespace rafter::gather_ladder {

/// Elements of the table; hardly any two are equal, so that a wrong index shows.
template <class Bits>
struct TableGenerator {
  static constexpr bool has_device_code = true;
  std::uint64_t seed;
  constexpr Bits operator()(std::int64_t index) const { return static_cast<Bits>(lab::random_bits(seed, index)); }
};

/// Indices into a table of `n_table` elements. A share of them is bad: just outside of the table, far outside, and the
/// extreme values of I.
template <class I>
struct IndexGenerator {
  static constexpr bool has_device_code = true;
  std::uint64_t seed;
  std::int64_t n_table;
  double bad_share;

  constexpr I operator()(std::int64_t i) const {
    const std::uint64_t bits = lab::random_bits(~seed, i);
    const bool is_bad = static_cast<double>(bits >> 11) * 0x1p-53 < bad_share;
    return n_table > 0 && !is_bad ? static_cast<I>(lab::random_below(seed, i, n_table)) : bad_index(bits & 7);
  }

  constexpr I bad_index(std::uint64_t kind) const {
    constexpr I most = std::numeric_limits<I>::max();
    const I past = static_cast<I>(n_table < most ? n_table : most);
    switch (kind) {
      case 0: return std::numeric_limits<I>::min();
      case 1: return most;
      case 2: return past > most / 2 ? most : static_cast<I>(2 * past + 1);
      case 3: return static_cast<I>(-past - 1);
      case 4:
      case 5: return past;
      default: return -1;
    }
  }
};

/// An element of the output; the policy determines those of bad indices.
template <class T, class I>
struct Gathered {
  static constexpr bool has_device_code = true;
  TableGenerator<T> table;
  IndexGenerator<I> indices;
  OutOfRange::Kind out_of_range;

  constexpr T operator()(std::int64_t i) const {
    const std::int64_t index = indices(i);
    if (index >= 0 && index < indices.n_table) return table(index);
    if (out_of_range == OutOfRange::Kind::clamp) return table(index < 0 ? 0 : indices.n_table - 1);
    return out_of_range == OutOfRange::Kind::zero ? T{0} : static_cast<T>(-1);  // untouched outputs keep the poison
  }
};

/// Counts the bad indices of a part; `first` is the first of them, or -1.
template <class I>
struct BadIndicesOfPart {
  static constexpr bool has_device_code = true;
  static constexpr std::int64_t part_elements = 4096;
  IndexGenerator<I> indices;
  std::int64_t n;

  constexpr std::int64_t n_parts() const { return (n + part_elements - 1) / part_elements; }
  constexpr BadIndices operator()(std::int64_t part) const {
    BadIndices bad{0, -1};
    const std::int64_t end = (part + 1) * part_elements < n ? (part + 1) * part_elements : n;
    for (std::int64_t i = part * part_elements; i < end; ++i) {
      const std::int64_t index = indices(i);
      if (index >= 0 && index < indices.n_table) continue;
      if (bad.count++ == 0) bad.first = i;
    }
    return bad;
  }
};

}  // namespace rafter::gather_ladder
