// A heat run with everything parsed.
#pragma once

#include <optional>
#include <string>

#include "apps/solve/heat_plan.hpp"
#include "apps/solve/heat_request.hpp"
#include "apps/solve/initial.hpp"

namespace rafter::solve {

struct HeatJob {
  HeatPlan plan;
  std::string beginning;           ///< A description of the initial field.
  std::optional<HeatStart> start;  ///< Of a file or a checkpoint.
  Initial initial;                 ///< Of a named field.
  HeatMedium medium;

  std::int64_t first_step() const { return start ? start->step : 0; }
  /// Takes the start out of the job; creates the field of a named initial condition.
  HeatStart take_start();
};

/// Parses a request. Reads the initial field or the checkpoint and writes nothing. Throws Error (bad_argument, io).
HeatJob parse_heat_job(HeatRequest request);

}  // namespace rafter::solve
