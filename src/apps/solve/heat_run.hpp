// Runs a heat plan: steps, with reports, fields, pictures and checkpoints in between.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "apps/solve/heat_plan.hpp"
#include "rafter/stream.hpp"

namespace rafter::solve {

struct HeatProgress {
  std::int64_t step = 0;
  std::int64_t n_steps = 0;
  double time = 0;
  double cell_steps_per_s = 0;  ///< 0 while unknown
  double left_s = 0;            ///< remaining time; 0 while unknown
};

/// Callbacks of a run. All may be empty.
struct HeatWatcher {
  std::function<void(const HeatProgress&, const HeatSummary&)>
      report;                                         ///< at the start, every report_every steps, and at the end
  std::function<void(const HeatProgress&)> progress;  ///< a few times a second
  std::function<bool()> stop;                         ///< true ends the run after the current steps
};

struct HeatOutcome {
  enum class Ending {
    finished,
    stopped,     ///< by the callback `stop`
    not_finite,  ///< the field has infinities or NaN, and was not written
    steady,      ///< before the last step, at the rate of HeatPlan::steady
  };
  Ending ending = Ending::finished;
  std::int64_t first_step = 0;
  std::int64_t step = 0;
  HeatSummary first;  ///< of the initial field
  HeatSummary last;
  std::optional<CellValue> bad_cell;  ///< the first cell that is not finite
  double computing_s = 0;
  double elapsed_s = 0;
  std::int64_t n_fields = 0;                        ///< in the series, including earlier runs
  std::optional<std::filesystem::path> checkpoint;  ///< the newest complete one
  std::int64_t checkpoint_step = 0;
};

/// Runs the plan. Throws Error; an error during the run names the step and the latest checkpoint.
HeatOutcome run_heat(const Stream& stream, const HeatPlan& plan, HeatStart start, const HeatWatcher& watcher);

/// Returns the file of the picture at a step: FILE_00000100.png.
std::filesystem::path picture_path(const std::filesystem::path& path, std::int64_t step);

}  // namespace rafter::solve
