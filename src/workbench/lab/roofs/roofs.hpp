// What this machine can do at most, measured, and the floor that follows for a cost.
#pragma once

#include <string>

#include "workbench/lab/roofs/bandwidth.hpp"
#include "workbench/lab/workload/cost.hpp"

namespace rafter::lab {

struct Roofs {
  Bandwidth bandwidth{};         ///< of memory: the caches are cold, as they are when rungs are timed
  double cache_bytes_per_s = 0;  ///< the best rate on data that stay in the caches: nothing moves faster
  double cache_bytes = 0;        ///< what the last-level cache holds
  double sector_bytes = 64;      ///< the least that moves between memory and the caches
  double launch_ns = 0;          ///< an empty kernel; on a CPU an empty call
  PerUnit operations_per_s{};    ///< 0: not measured, or the device has no such unit
};

/// Whether the data lie in the caches when the work begins, if they fit.
enum class CacheState { cold, warm };

/// The time below which no implementation can go, and what sets it.
struct Floor {
  enum class Limit {
    memory,   ///< the bytes asked for
    sectors,  ///< memory, too, but the sectors in which they lie
    arithmetic,
    launch,
  };
  double ns = 0;
  Limit limit = Limit::memory;
  Unit unit = Unit::fp32;  ///< of arithmetic
};
/// "memory", "memory, sectors", "launch", or the unit: "fp64".
const char* name(const Floor& floor) noexcept;

/// The largest of: what moves over the rate for its size and mix of reads and writes; the operations of each unit over
/// its rate; launches times an empty launch. Data that are passed over again come from the caches if these could hold
/// half of them.
Floor floor_of(const Cost& cost, const Roofs& roofs, CacheState state = CacheState::cold);

/// Raises the roofs that put the floor above `ns`, so that it is at most that.
void raise(Roofs& roofs, const Cost& cost, double ns);

/// The time that nothing can beat, busy machine or not: half of what the caches would take to hand over the bytes, the
/// units to do the operations, the launches to be empty. Between it and the floor it is the roofs that are in doubt.
double impossible_below_ns(const Cost& cost, const Roofs& roofs);

}  // namespace rafter::lab
