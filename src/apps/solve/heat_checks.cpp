#include "apps/solve/heat_checks.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "apps/solve/checkpoint.hpp"
#include "apps/solve/heat_faces.hpp"
#include "apps/solve/needs.hpp"
#include "base/files.hpp"
#include "base/units.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/machine/machine.hpp"

namespace rafter::solve {

namespace fs = std::filesystem;

namespace {

std::string bytes_text(std::int64_t bytes) { return base::show_bytes(static_cast<double>(bytes)); }

}  // namespace

std::string require_memory(const HeatJob& job, Device device) {
  const std::int64_t need = memory_need(job.plan).on(device);
  const std::int64_t loaded = device == Device::cpu && job.start ? memory_need(job.plan).host_bytes : 0;
  const std::int64_t available = lab::available_bytes(device) + loaded;
  // A GPU refuses an allocation that is too large. A CPU grants it, and the process is killed later.
  const double certain = device == Device::cpu ? static_cast<double>(need) : 0.75 * static_cast<double>(need);
  if (certain > static_cast<double>(available))
    throw Error(ErrorCode::out_of_memory, too_large_message(job.plan, device, available));
  return fmt::format("{} of {} available", bytes_text(need), bytes_text(available));
}

std::string too_large_message(const HeatPlan& plan, Device device, std::int64_t available_bytes) {
  return fmt::format("a grid of {} in {} needs {} on {}, which has {} available; what would fit: {}^3{}",
                     show_shape(plan.problem.shape), name(plan.precision), bytes_text(memory_need(plan).on(device)),
                     name(device), bytes_text(available_bytes), largest_cube(plan, device, available_bytes),
                     plan.precision == Precision::float64 ? ", or float32" : "");
}

std::string require_disk(const HeatJob& job) {
  std::string text;
  for (const DiskNeed& need : disk_needs(job.plan, job.first_step())) {
    const std::string free = fmt::format("{} free in {}", bytes_text(need.free_bytes), need.folder.string());
    if (need.bytes > need.free_bytes) {
      throw Error(ErrorCode::io, fmt::format("this run's files need {}, but there are {}; write less often (--every), "
                                             "in float32, or elsewhere",
                                             bytes_text(need.bytes), free));
    }
    text += fmt::format("{}{} of {}", text.empty() ? "" : "; ", bytes_text(need.bytes), free);
  }
  return text;
}

OutputLocks lock_resumed(const HeatRequest& request) {
  OutputLocks locks;
  std::error_code error;
  if (fs::exists(request.resume, error)) locks.lock_file(current_checkpoint(request.resume));
  return locks;
}

void lock_outputs(const HeatPlan& plan, OutputLocks& locks) {
  if (plan.series) locks.lock_folder(plan.series->folder);
  if (plan.checkpoint) locks.lock_file(plan.checkpoint->path);
}

void require_writable_outputs(const HeatPlan& plan) {
  if (plan.checkpoint) {
    base::require_writable(plan.checkpoint->path);
    base::remove_partial_files(plan.checkpoint->path);
  }
  if (plan.picture) base::require_writable(plan.picture->path);
  if (plan.probes) base::require_writable(plan.probes->path);
}

HeatIncome income_of(const HeatJob& job) {
  const auto& [shape, spacing] = std::pair(job.plan.problem.shape, job.plan.problem.spacing);
  HeatIncome income;
  if (job.medium.source) {
    std::visit([&](const auto& cells) { income.source = std::accumulate(cells.begin(), cells.end(), 0.); },
               job.medium.source->values);
  }
  income.source *= spacing.z * spacing.y * spacing.x;
  income.total = income.source + prescribed_flow(job.plan.faces, shape, spacing);
  return income;
}

fs::path series_index(const HeatPlan& plan) { return plan.series->folder / "heat.xdmf"; }

nlohmann::json to_json(const HeatJob& job, const HeatOutcome& outcome, const Stream& stream) {
  constexpr const char* endings[] = {"finished", "stopped", "not finite", "steady"};
  const HeatPlan& plan = job.plan;
  const GridShape& shape = plan.problem.shape;
  nlohmann::json result = to_json(plan, outcome.step, outcome.first);
  result["shape"] = {shape.nz, shape.ny, shape.nx};
  result["dtype"] = name(plan.precision);
  result["beginning"] = job.beginning;
  result["device"] = name(stream.device());
  result["machine"] = lab::fingerprint(stream.device(), stream.n_threads());
  result["ending"] = endings[static_cast<int>(outcome.ending)];
  result["time"] = static_cast<double>(outcome.step) * plan.problem.dt;
  result["last"] = {{"total", outcome.last.total}, {"min", outcome.last.min}, {"max", outcome.last.max}};
  result["first_step"] = outcome.first_step;
  result["computing_s"] = outcome.computing_s;
  result["elapsed_s"] = outcome.elapsed_s;
  const auto n_cell_steps = static_cast<double>((outcome.step - outcome.first_step) * shape.n_cells());
  result["cell_steps_per_s"] = outcome.computing_s > 0 ? n_cell_steps / outcome.computing_s : 0.;
  if (plan.series) result["series"] = {{"index", series_index(plan).string()}, {"n_fields", outcome.n_fields}};
  if (outcome.checkpoint) {
    result["checkpoint"] = {{"path", outcome.checkpoint->string()}, {"step", outcome.checkpoint_step}};
  }
  return result;
}

}  // namespace rafter::solve
