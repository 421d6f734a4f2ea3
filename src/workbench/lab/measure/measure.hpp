// Measures a ladder: verifies every rung, times all of them in interleaved rounds, verifies them again and compares
// them with the floor.
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
  bool stages = false;              ///< whether to profile stages
  std::vector<std::string> only{};  ///< rungs to measure; empty: all
};

/// Receives the current activity, such as "sum 2^27: published", and the completed share of the work from 0 to 1.
using Progress = std::function<void(const std::string& what, double share)>;

/// Measures one case. For a verified rung that is faster than its floor, our loops measure the roofs again. If it is
/// still faster, it stays verified if its rung is trusted, and the run records that it beat its floor.
CaseReport measure_case(const Workload& workload, const Params& params, const Stream& stream, RunRoofs& roofs,
                        const MeasureOptions& options, const Progress& progress);

}  // namespace rafter::lab
