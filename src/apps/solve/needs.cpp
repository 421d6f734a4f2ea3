#include "apps/solve/needs.hpp"

#include <sys/stat.h>
#include <sys/statvfs.h>

#include <map>

#include "apps/solve/checkpoint.hpp"
#include "apps/solve/hdf5_field.hpp"
#include "base/new_file.hpp"

namespace rafter::solve {

namespace {

namespace fs = std::filesystem;

/// Returns the folder, or its nearest existing parent.
fs::path existing_folder(fs::path folder) {
  folder = fs::absolute(folder);
  std::error_code error;
  while (!fs::is_directory(folder, error) && folder.has_relative_path()) folder = folder.parent_path();
  return folder;
}

/// Returns the number of steps in (from, to] that are multiples of `every` or the last one.
std::int64_t n_events(std::int64_t from, std::int64_t to, std::int64_t every) {
  if (to <= from) return 0;
  if (every <= 0) return 1;
  return to / every - from / every + (to % every != 0 ? 1 : 0);
}

std::int64_t free_bytes(const fs::path& folder) {
  struct statvfs disk {};
  if (statvfs(folder.c_str(), &disk) != 0) return 0;
  return static_cast<std::int64_t>(disk.f_bavail) * static_cast<std::int64_t>(disk.f_frsize);
}

}  // namespace

MemoryNeed memory_need(const HeatPlan& plan) {
  const HeatProblem& problem = plan.problem;
  const GridShape& shape = problem.shape;
  const std::int64_t bytes = bytes_of(plan.precision);
  const std::int64_t n_before = plan.steady > 0 ? 1 : 0;  // the field of an earlier step
  const auto plain = plan.plain();
  if (!plain) {
    const MediumNote& medium = plan.medium;
    const std::int64_t n_fields = (medium.diffusivity ? 1 : 0) + (medium.source ? 1 : 0) + (medium.capacity ? 1 : 0);
    const std::int64_t n_between = medium.diffusivity && problem.order > 2 ? 3 : 0;
    const std::int64_t n_changing = medium.changing_source.empty() ? 0 : 1;  // 4 on the host: samples and their sum
    return {(3 + n_fields + n_between + n_changing) * shape.n_cells() * bytes, 0,
            (1 + n_fields + 4 * n_changing + n_before) * shape.n_cells() * bytes};
  }
  const std::int64_t ghost = *plain == HeatBoundary::frozen ? 0 : 4 * problem.radius();
  const GridShape padded{shape.nz + 2 * ghost, shape.ny + 2 * ghost, shape.nx + 2 * ghost};
  const std::int64_t n = shape.n_cells();
  return {2 * n * bytes, 2 * (padded.n_cells() - n) * bytes, (1 + n_before) * n * bytes};
}

std::int64_t largest_cube(const HeatPlan& plan, Device device, std::int64_t bytes) {
  std::int64_t fits = 0, too_large = std::int64_t{1} << 20;
  while (too_large - fits > 1) {
    const std::int64_t side = (fits + too_large) / 2;
    HeatPlan cube;
    cube.problem.order = plan.problem.order;
    cube.problem.shape = {side, side, side};
    cube.faces = plan.faces;
    cube.medium = plan.medium;
    cube.precision = plan.precision;
    cube.steady = plan.steady;
    (memory_need(cube).on(device) <= bytes ? fits : too_large) = side;
  }
  return fits;
}

std::int64_t n_fields_to_write(const HeatPlan& plan, std::int64_t from_step) {
  if (!plan.series) return 0;
  return n_events(from_step, plan.n_steps, plan.series->every) + (from_step == 0 ? 1 : 0);
}

std::vector<DiskNeed> disk_needs(const HeatPlan& plan, std::int64_t from_step) {
  constexpr std::int64_t picture_bytes = 1 << 20;
  const std::int64_t field_bytes = field_file_bytes(plan.problem.shape, plan.precision);
  std::map<dev_t, DiskNeed> by_disk;
  const auto need = [&](const fs::path& wanted, std::int64_t bytes) {
    const fs::path folder = existing_folder(wanted);
    struct stat status {};
    if (bytes == 0 || stat(folder.c_str(), &status) != 0) return;
    DiskNeed& on_disk = by_disk.try_emplace(status.st_dev, DiskNeed{folder, 0, free_bytes(folder)}).first->second;
    on_disk.bytes += bytes;
  };
  if (plan.series) {
    const bool has_mesh = plan.series->format == FieldFormat::mesh;
    need(plan.series->folder,
         n_fields_to_write(plan, from_step) * field_bytes + (has_mesh ? mesh_bytes(plan.problem.shape) : 0));
  }
  if (plan.picture) {
    need(base::folder_of(plan.picture->path), n_events(from_step, plan.n_steps, plan.picture->every) * picture_bytes);
  }
  if (plan.checkpoint) {  // the new checkpoint, the current one and the previous one exist at the same time
    const fs::path& path = plan.checkpoint->path;
    std::error_code error;
    const int n_there = (fs::exists(path, error) ? 1 : 0) + (fs::exists(previous_checkpoint(path), error) ? 1 : 0);
    need(base::folder_of(path), (3 - n_there) * field_bytes);
  }
  std::vector<DiskNeed> needs;
  for (const auto& [disk, on_disk] : by_disk) needs.push_back(on_disk);
  return needs;
}

}  // namespace rafter::solve
