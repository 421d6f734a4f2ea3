// The loops of the CPU rungs of filter, compiled per instruction-set level.
#pragma once

#include <cstdint>

#include "filter/filter_range.hpp"
#include "library/core/cpu/isa.hpp"

namespace rafter::filter_ladder::cpu {

inline constexpr std::int64_t word_elements = 64;
inline constexpr std::int64_t index_slack = 16;

template <class T>
struct FilterLoop {
  /// Writes a word for every 64 elements, whose bit i is set if element i is kept, and returns the number of kept
  /// elements. Bits past the end are 0.
  std::int64_t (*mark)(const T* in, std::int64_t n, const Range<T>& range, std::uint64_t* words);
  /// Writes the first `n_kept` marked elements, of which there are at least that many, and nothing past them.
  void (*compact)(const T* in, std::int64_t n, const std::uint64_t* words, T* out, std::int64_t n_kept);
};

struct FilterLoops {
  FilterLoop<float> f32;
  FilterLoop<double> f64;
  FilterLoop<std::int32_t> i32;
  FilterLoop<std::int64_t> i64;
  /// Writes the indices of the marked ones of `n` elements and returns their number; n is at most 2^30. `indices` has
  /// space for that many and `index_slack` more, which are overwritten.
  std::int64_t (*indices)(const std::uint64_t* words, std::int64_t n, std::int32_t* indices);

  const auto& of(const float*) const { return f32; }
  const auto& of(const double*) const { return f64; }
  const auto& of(const std::int32_t*) const { return i32; }
  const auto& of(const std::int64_t*) const { return i64; }
};

RAFTER_DECLARE_ISA_TABLE(FilterLoops, filter_loops)

}  // namespace rafter::filter_ladder::cpu
