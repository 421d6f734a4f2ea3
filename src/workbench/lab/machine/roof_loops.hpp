// The loops that measure the CPU roofs, compiled per instruction-set level.
#pragma once

#include <cstdint>

#include "library/core/cpu/isa.hpp"

namespace rafter::lab {

/// Sums one to three input streams, `stride` elements apart, into `out`. All are aligned to 64-byte lines, and n is a
/// multiple of a line.
using CombineLoop = void (*)(const std::uint64_t* in, std::int64_t stride, std::int64_t n, std::uint64_t* out);

/// Runs n_steps multiply-adds on each of `n_numbers` in registers. The number that fits and hides the latency depends
/// on the CPU.
template <class T>
struct FmaLoop {
  int n_numbers;
  T (*run)(std::int64_t n_steps, const T* factors);  ///< factors: two lines of 64 bytes
};

struct RoofLoops {
  std::uint64_t (*read)(const std::uint64_t* in, std::int64_t n);
  void (*write)(std::uint64_t* out, std::int64_t n, std::uint64_t value);
  void (*write_streamed)(std::uint64_t* out, std::int64_t n, std::uint64_t value);
  CombineLoop combine[3];  ///< one, two and three streams
  CombineLoop combine_streamed[3];
  FmaLoop<float> fma_fp32[3];
  FmaLoop<double> fma_fp64[3];
};
RAFTER_DECLARE_ISA_TABLE(RoofLoops, roof_loops)

}  // namespace rafter::lab
