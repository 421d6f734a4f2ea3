// Runs a heat plan: steps, and between them reports, fields, pictures and checkpoints.
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
  double left_s = 0;            ///< likewise
};

/// Who looks on. All may be empty.
struct HeatWatcher {
  std::function<void(const HeatProgress&, const HeatSummary&)> report;  ///< at the start, every report_every, the end
  std::function<void(const HeatProgress&)> progress;                    ///< a few times a second
  std::function<bool()> stop;                                           ///< true ends the run after the steps under way
};

struct HeatOutcome {
  enum class Ending {
    finished,
    stopped,     ///< as the watcher wished
    not_finite,  ///< the field has infinities or NaN; nothing was written of it
  };
  Ending ending = Ending::finished;
  std::int64_t first_step = 0;
  std::int64_t step = 0;
  HeatSummary first;  ///< of the very first field
  HeatSummary last;
  std::optional<CellValue> bad_cell;  ///< the first that is not finite
  double computing_s = 0;
  double elapsed_s = 0;
  std::int64_t n_fields = 0;                        ///< in the series, with those of earlier runs
  std::optional<std::filesystem::path> checkpoint;  ///< the newest that is whole
  std::int64_t checkpoint_step = 0;
};

/// Throws Error. One that comes in the middle says where the run stopped and which checkpoint there is.
HeatOutcome run_heat(const Stream& stream, const HeatPlan& plan, HeatStart start, const HeatWatcher& watcher);

/// Where the picture of a step on the way goes: FILE_00000100.png.
std::filesystem::path picture_path(const std::filesystem::path& path, std::int64_t step);

}  // namespace rafter::solve
