// The loops under the CPU roofs, compiled per instruction-set level.
#pragma once

#include <cstdint>

#include "core/isa.hpp"

namespace rafter::lab {

struct RoofLoops {
  std::uint64_t (*read)(const std::uint64_t* in, std::int64_t n);
  void (*write)(std::uint64_t* out, std::int64_t n, std::uint64_t value);
  void (*copy)(const std::uint64_t* in, std::int64_t n, std::uint64_t* out);
  // n_steps multiply-adds on each of 64, 128 or 192 numbers: how many fit in registers and hide the latency differs.
  float (*fma64)(std::int64_t n_steps, const float* factors);
  float (*fma128)(std::int64_t n_steps, const float* factors);
  float (*fma192)(std::int64_t n_steps, const float* factors);
};
RAFTER_DECLARE_ISA_TABLE(RoofLoops, roof_loops)

}  // namespace rafter::lab
