// The loops under the CPU roofs, compiled per instruction-set level.
#pragma once

#include <cstdint>

#include "library/core/cpu/isa.hpp"

namespace rafter::lab {

/// Adds up one to three input streams, `stride` elements apart, into `out`. All are aligned to lines of 64 bytes, and n
/// is a whole number of them.
using CombineLoop = void (*)(const std::uint64_t* in, std::int64_t stride, std::int64_t n, std::uint64_t* out);

/// n_steps multiply-adds on each of `n_numbers`, all in registers. How many fit there and hide the latency differs.
template <class T>
struct FmaLoop {
  int n_numbers;
  T (*run)(std::int64_t n_steps, const T* factors);  ///< factors: two lines of 64 bytes
};

struct RoofLoops {
  std::uint64_t (*read)(const std::uint64_t* in, std::int64_t n);
  void (*write)(std::uint64_t* out, std::int64_t n, std::uint64_t value);
  void (*write_streamed)(std::uint64_t* out, std::int64_t n, std::uint64_t value);
  CombineLoop combine[3];  ///< of one, two and three streams
  CombineLoop combine_streamed[3];
  FmaLoop<float> fma_fp32[3];
  FmaLoop<double> fma_fp64[3];
};
RAFTER_DECLARE_ISA_TABLE(RoofLoops, roof_loops)

}  // namespace rafter::lab
