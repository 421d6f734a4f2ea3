// From the words of `rafter solve heat` to a plan.
#pragma once

#include <optional>
#include <string>

#include "apps/solve/heat_plan.hpp"
#include "apps/solve/initial.hpp"
#include "cli/options.hpp"

namespace rafter::cli {

struct HeatJob {
  solve::HeatPlan plan;
  std::string beginning;                  ///< in words
  std::optional<solve::HeatStart> start;  ///< what a file gave
  solve::Initial initial;                 ///< otherwise
  solve::HeatMedium medium;
};

/// Throws Error (bad_argument) for words that make no run; reads the file that it begins with, and writes nothing.
HeatJob heat_job(SolveHeatOptions options);

}  // namespace rafter::cli
