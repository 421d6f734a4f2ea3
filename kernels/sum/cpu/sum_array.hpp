// Sums an array in one thread, for all element types.
#pragma once

#include <algorithm>
#include <cstdint>

#include "library/core/cpu/blocks.hpp"
#include "sum/sum_simd.hpp"

namespace rafter::sum_ladder::cpu {

/// Returns the sum of in[0, n), added in an order that depends on `n` alone: the same bits on every instruction set.
inline double sum_array(const float* in, std::int64_t n) { return sum_loops().f32(in, n); }
inline double sum_array(const double* in, std::int64_t n) { return sum_loops().f64(in, n); }
/// Returns the sum of in[0, n), wrapped to 64 bits.
inline unsigned long long sum_array(const std::int32_t* in, std::int64_t n) { return sum_loops().i32(in, n); }
inline unsigned long long sum_array(const std::int64_t* in, std::int64_t n) { return sum_loops().i64(in, n); }

template <core::SixteenBits T>
double sum_array(const T* in, std::int64_t n) {
  alignas(64) float block[core::block_elements];
  double total = 0;
  for (std::int64_t first = 0; first < n; first += core::block_elements) {
    const std::int64_t n_block = std::min(core::block_elements, n - first);
    core::widen(in + first, n_block, block);
    total += sum_array(block, n_block);
  }
  return total;
}

}  // namespace rafter::sum_ladder::cpu
