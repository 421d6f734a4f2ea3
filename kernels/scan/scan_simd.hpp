// The loops under the CPU scans, compiled once per instruction-set level.
#pragma once

#include <cstdint>

#include "library/core/cpu/isa.hpp"

namespace rafter::scan_ladder::cpu {

/// The loops for one element type. Integers are passed as unsigned ones, which wrap.
template <class T, class Carry>
struct ScanLoop {
  Carry (*sum)(const T* in, std::int64_t n);
  /// Writes running sums that start with `before`; `out` may be `in`.
  void (*inclusive)(const T* in, std::int64_t n, Carry before, T* out);
  void (*exclusive)(const T* in, std::int64_t n, Carry before, T* out);
};

struct ScanLoops {
  ScanLoop<float, double> f32;
  ScanLoop<double, double> f64;
  ScanLoop<std::uint32_t, unsigned long long> u32;
  ScanLoop<std::uint64_t, unsigned long long> u64;

  const auto& of(const float*) const { return f32; }
  const auto& of(const double*) const { return f64; }
  const auto& of(const std::int32_t*) const { return u32; }
  const auto& of(const std::int64_t*) const { return u64; }
};

RAFTER_DECLARE_ISA_TABLE(ScanLoops, scan_loops)

}  // namespace rafter::scan_ladder::cpu
