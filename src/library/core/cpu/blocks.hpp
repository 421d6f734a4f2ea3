// 16-bit floats on a CPU: blocks are converted in the L1 cache, and the loops for float process them. Conversion and
// loop together are faster than memory, and no loop is compiled for 16-bit floats.
#pragma once

#include <cstdint>
#include <type_traits>

#include "library/core/cpu/convert_simd.hpp"
#include "library/core/dtype.hpp"

namespace rafter::core {

/// The 16-bit floats: Half and Bfloat16.
template <class T>
concept SixteenBits = is_float<T> && sizeof(T) == 2;

/// The elements converted at a time: 16 KiB of floats.
inline constexpr std::int64_t block_elements = 4096;

template <SixteenBits T>
void widen(const T* in, std::int64_t n, float* out) {
  const ConvertLoops& loops = convert_loops();
  const auto* bits = reinterpret_cast<const std::uint16_t*>(in);
  std::is_same_v<T, Half> ? loops.half_to_float(bits, n, out) : loops.bfloat16_to_float(bits, n, out);
}

template <SixteenBits T>
void round(const float* in, std::int64_t n, T* out, Stores stores = Stores::cached) {
  const ConvertLoops& loops = convert_loops();
  auto* bits = reinterpret_cast<std::uint16_t*>(out);
  std::is_same_v<T, Half> ? loops.float_to_half(in, n, bits, stores) : loops.float_to_bfloat16(in, n, bits, stores);
}

}  // namespace rafter::core
