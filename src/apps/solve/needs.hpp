// Estimates of the memory and disk space of a run, before it starts.
#pragma once

#include <filesystem>
#include <vector>

#include "apps/solve/heat_plan.hpp"
#include "rafter/device.hpp"

namespace rafter::solve {

/// The memory of the solver, of its ghost cells, at most, which only a GPU has, and of the host's fields.
struct MemoryNeed {
  std::int64_t solver_bytes = 0;
  std::int64_t ghost_bytes = 0;
  std::int64_t host_bytes = 0;

  std::int64_t on(Device device) const { return solver_bytes + (device == Device::cpu ? host_bytes : ghost_bytes); }
};
MemoryNeed memory_need(const HeatPlan& plan);

/// Returns the side, in cells, of the largest cube whose run takes at most `bytes` of a device.
std::int64_t largest_cube(const HeatPlan& plan, Device device, std::int64_t bytes);

/// The space that the files of a run take on one disk, from a step on.
struct DiskNeed {
  std::filesystem::path folder;  ///< an existing folder
  std::int64_t bytes = 0;
  std::int64_t free_bytes = 0;
};
std::vector<DiskNeed> disk_needs(const HeatPlan& plan, std::int64_t from_step);

/// Returns the number of fields that the series will still write.
std::int64_t n_fields_to_write(const HeatPlan& plan, std::int64_t from_step);

}  // namespace rafter::solve
