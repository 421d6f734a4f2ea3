// What this machine can do at most, measured: the roofs every kernel is held against.
#pragma once

#include <string>

#include "lab/workload/workload.hpp"

namespace rafter::lab {

struct Roofs {
  double read_bytes_per_s = 0;
  double write_bytes_per_s = 0;
  double copy_bytes_per_s = 0;  ///< bytes read plus bytes written
  double fma_flops_per_s = 0;   ///< float32, two operations per fused multiply-add
  double launch_ns = 0;         ///< an empty kernel; on a CPU an empty call
};

/// Measures them on the stream's device; a few seconds.
Roofs measure_roofs(const Stream& stream);

enum class RoofSource {
  cached,     ///< from the cache of this machine, measured first if need be
  remeasure,  ///< measured now, whatever the cache says
  raise,      ///< measured again, keeping the better of each: the machine was busy when they were measured
};
Roofs roofs_of(const Stream& stream, RoofSource source = RoofSource::cached);

/// The time below which no implementation can go, and what sets it.
struct Floor {
  enum class Limit { memory, arithmetic, launch };
  double ns = 0;
  Limit limit = Limit::memory;
};
Floor floor_of(const Cost& cost, const Roofs& roofs);
const char* name(Floor::Limit limit) noexcept;

// One per device, used by measure_roofs.
Roofs measure_cpu_roofs(const Stream& stream);
#ifdef RAFTER_WITH_CUDA
Roofs measure_cuda_roofs(const Stream& stream);
#endif

}  // namespace rafter::lab
