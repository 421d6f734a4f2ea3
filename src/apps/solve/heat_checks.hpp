// The checks before a heat run, its heat balance, and its outcome as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "apps/solve/heat_job.hpp"
#include "apps/solve/heat_run.hpp"
#include "apps/solve/output_locks.hpp"
#include "rafter/device.hpp"

namespace rafter::solve {

/// Returns a description of the needed and the available memory. Throws Error (out_of_memory) if the run cannot fit.
std::string require_memory(const HeatJob& job, Device device);
/// Returns a message about a run that does not fit, with the largest cube that does.
std::string too_large_message(const HeatPlan& plan, Device device, std::int64_t available_bytes);

/// Returns a description of the needed and the free disk space. Throws Error (io) if the files do not fit.
std::string require_disk(const HeatJob& job);

/// Locks the checkpoint that a request resumes, before it is read.
OutputLocks lock_resumed(const HeatRequest& request);
/// Locks the outputs of a plan.
void lock_outputs(const HeatPlan& plan, OutputLocks& locks);
/// Throws Error (io) for an output that cannot be written, and removes what killed runs left of the checkpoint.
void require_writable_outputs(const HeatPlan& plan);

/// The heat that enters the grid per unit of time.
struct HeatIncome {
  double source = 0;  ///< From the source.
  double total = 0;   ///< From the source and through faces with a given flux.
};
HeatIncome income_of(const HeatJob& job);

std::filesystem::path series_index(const HeatPlan& plan);

nlohmann::json to_json(const HeatJob& job, const HeatOutcome& outcome, const Stream& stream);

}  // namespace rafter::solve
