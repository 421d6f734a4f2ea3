// Conversions of arrays between the bits of 16-bit floats and float; compiled per instruction-set level.
#pragma once

#include <cstdint>

#include "library/core/cpu/isa.hpp"
#include "library/core/cpu/streaming_store.hpp"

namespace rafter::core {

struct ConvertLoops {
  using Widen = void (*)(const std::uint16_t* in, std::int64_t n, float* out);
  using Round = void (*)(const float* in, std::int64_t n, std::uint16_t* out, Stores stores);

  Widen half_to_float;
  Widen bfloat16_to_float;
  Round float_to_half;
  Round float_to_bfloat16;
};

/// The conversion loops. They run in one thread and round to nearest, ties to even. library/core/cpu/blocks.hpp has
/// functions for loops over elements.
RAFTER_DECLARE_ISA_TABLE(ConvertLoops, convert_loops)

}  // namespace rafter::core
