// Climbs a ladder: verifies every rung, times them all in interleaved rounds, verifies again and holds them against the
// floor.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "workbench/lab/measure/report.hpp"
#include "workbench/lab/measure/rounds.hpp"
#include "workbench/lab/measure/verify.hpp"
#include "workbench/lab/roofs/run_roofs.hpp"

namespace rafter::lab {

struct MeasureOptions {
  std::uint64_t seed = 0;
  RoundsOptions rounds{};
  bool all_regimes = false;
  bool stages = false;              ///< profile them
  std::vector<std::string> only{};  ///< names of rungs; empty: all
};

/// What is being done now, for people who wait: "sum 2^27: published", share of the whole from 0 to 1.
using Progress = std::function<void(const std::string& what, double share)>;

/// A verified rung that is faster than its floor raises the roofs, as long as that is possible at all.
CaseReport measure_case(const Workload& workload, const Params& params, const Stream& stream, RunRoofs& roofs,
                        const MeasureOptions& options, const Progress& progress);

}  // namespace rafter::lab
