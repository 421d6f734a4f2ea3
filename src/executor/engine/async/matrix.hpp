// Number formats of tensor cores.
#pragma once

#include <bit>
#include <cstdint>

#include "rafter_simt/matrix.hpp"

namespace rafter::simt {

float half_value(std::uint16_t bits);
std::uint16_t half_bits(float value);

/// Converts an e4m3 number: 1 sign bit, 4 exponent bits, 3 fraction bits, no infinities.
float e4m3_value(std::uint8_t bits);

/// Returns the size of an element.
inline int element_bytes(rafter_simt::MmaType type) {
  switch (type) {
    case rafter_simt::MmaType::tf32: return 4;
    case rafter_simt::MmaType::e4m3:
    case rafter_simt::MmaType::e5m2: return 1;
    default: return 2;
  }
}

/// Returns element `which` of a word as tensor cores read it; tf32 is the upper 19 bits.
inline float element(rafter_simt::MmaType type, std::uint32_t word, unsigned which) {
  const auto bits = static_cast<std::uint16_t>(word >> 8 * element_bytes(type) * static_cast<int>(which));
  switch (type) {
    case rafter_simt::MmaType::e4m3: return e4m3_value(static_cast<std::uint8_t>(bits));
    case rafter_simt::MmaType::e5m2: return half_value(static_cast<std::uint16_t>(bits << 8));
    case rafter_simt::MmaType::half: return half_value(bits);
    case rafter_simt::MmaType::bfloat16: return std::bit_cast<float>(std::uint32_t{bits} << 16);
    case rafter_simt::MmaType::tf32: return std::bit_cast<float>(word & 0xffffe000u);
  }
  return 0;
}

}  // namespace rafter::simt
