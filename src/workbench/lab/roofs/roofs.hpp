// The measured limits of this machine, and the floor that follows from them for a cost.
#pragma once

#include <string>

#include "workbench/lab/roofs/bandwidth.hpp"
#include "workbench/lab/workload/cost.hpp"

namespace rafter::lab {

struct Roofs {
  Bandwidth bandwidth{};         ///< memory bandwidth with cold caches, as when rungs are timed
  double cache_bytes_per_s = 0;  ///< the best rate for data that stay in the caches, an upper limit
  double cache_bytes = 0;        ///< size of the last-level cache
  double sector_bytes = 64;      ///< unit of transfer between memory and the caches
  double launch_ns = 0;          ///< time of an empty kernel, or of an empty call on a CPU
  PerUnit operations_per_s{};    ///< 0: not measured, or the device has no such unit
};

/// The state of the caches when the work begins: warm if they contain the data, as far as it fits.
enum class CacheState { cold, warm };

/// The least possible time of any implementation, and the resource that sets it.
struct Floor {
  enum class Limit {
    memory,   ///< the requested bytes
    sectors,  ///< the sectors that contain the requested bytes
    arithmetic,
    launch,
  };
  double ns = 0;
  Limit limit = Limit::memory;
  Unit unit = Unit::fp32;  ///< the unit of Limit::arithmetic
};
/// Returns "memory", "memory, sectors", "launch", or the unit: "fp64".
const char* name(const Floor& floor) noexcept;

/// Returns the largest of: the bytes moved over the rate for their size and mix of reads and writes; the operations of
/// each unit over its rate; the launches times an empty launch. Data that is read again comes from the caches if it is
/// at most twice their size.
Floor floor_of(const Cost& cost, const Roofs& roofs, CacheState state = CacheState::cold);

/// Returns a time that no implementation can beat even if the roofs were measured on a busy machine: half of what the
/// caches need for the bytes, the units for the operations and empty launches. For times between it and the floor, the
/// roofs are in doubt.
double impossible_below_ns(const Cost& cost, const Roofs& roofs);

}  // namespace rafter::lab
