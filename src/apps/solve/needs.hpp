// What a run will take, said before it begins.
#pragma once

#include <filesystem>
#include <vector>

#include "apps/solve/heat_plan.hpp"
#include "rafter/device.hpp"

namespace rafter::solve {

/// Memory of the solver, at most, and of the host beside it, where fields are made and written from.
struct MemoryNeed {
  std::int64_t solver_bytes = 0;
  std::int64_t host_bytes = 0;

  std::int64_t on(Device device) const { return device == Device::cpu ? solver_bytes + host_bytes : solver_bytes; }
};
MemoryNeed memory_need(const HeatPlan& plan);

/// Cells along the side of the largest cube whose run takes no more than `bytes` of a device.
std::int64_t largest_cube(const HeatPlan& plan, Device device, std::int64_t bytes);

/// What the files of a run take on one disk, from a step on.
struct DiskNeed {
  std::filesystem::path folder;  ///< one that is there
  std::int64_t bytes = 0;
  std::int64_t free_bytes = 0;
};
std::vector<DiskNeed> disk_needs(const HeatPlan& plan, std::int64_t from_step);

/// Fields that the series will still write.
std::int64_t n_fields_to_write(const HeatPlan& plan, std::int64_t from_step);

}  // namespace rafter::solve
