// Numbers as tensor cores read them.
#pragma once

#include <bit>
#include <cstdint>

#include "rafter_simt/matrix.hpp"

namespace rafter::simt {

float half_value(std::uint16_t bits);
std::uint16_t half_bits(float value);

/// An element as the cores read it: two of 16 bits to a word, tf32 by its upper 19 bits.
inline float element(rafter_simt::MmaType type, std::uint32_t word, unsigned half) {
  const auto bits = static_cast<std::uint16_t>(word >> 16 * half);
  switch (type) {
    case rafter_simt::MmaType::half: return half_value(bits);
    case rafter_simt::MmaType::bfloat16: return std::bit_cast<float>(std::uint32_t{bits} << 16);
    case rafter_simt::MmaType::tf32: return std::bit_cast<float>(word & 0xffffe000u);
  }
  return 0;
}

}  // namespace rafter::simt
