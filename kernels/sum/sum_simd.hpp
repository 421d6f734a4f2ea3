// The loops under the CPU sums, compiled once per instruction-set level.
#pragma once

#include <cstdint>

#include "library/core/cpu/isa.hpp"

namespace rafter::sum_ladder::cpu {

struct SumLoops {
  double (*f32)(const float* in, std::int64_t n);
  double (*f64)(const double* in, std::int64_t n);
  unsigned long long (*i32)(const std::int32_t* in, std::int64_t n);
  unsigned long long (*i64)(const std::int64_t* in, std::int64_t n);
};

/// Returns the table of loops. They add in an order that depends on `n` alone: the same bits on every instruction set.
RAFTER_DECLARE_ISA_TABLE(SumLoops, sum_loops)

}  // namespace rafter::sum_ladder::cpu
