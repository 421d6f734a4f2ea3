// A run of workloads: `rafter run`, and the measuring part of `rafter bench`.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "workbench/journal/record.hpp"
#include "workbench/lab/measure/measure.hpp"
#include "workbench/lab/workload/registry.hpp"
#include "workbench/session/jobs.hpp"

namespace rafter::session {

using Sources = std::vector<lab::EmbeddedSource>;

/// A request with everything parsed.
struct RunPlan {
  RunRequest request{};  ///< As the results file keeps it.
  Device device{};
  std::vector<Job> jobs{};
  lab::MeasureOptions measure{};

  std::size_t n_cases() const;
  /// Whether rungs are verified but not timed: with --check, and on the executor.
  bool only_checks() const { return device == Device::simt || request.check; }
};

/// Parses a request. Throws Error (bad_argument, unsupported).
RunPlan make_plan(const RunRequest& request, const Workloads& workloads);
/// Plans jobs that are already parsed.
RunPlan make_plan(const RunRequest& request, Device device, std::vector<Job> jobs);

/// The files that a run writes.
struct RunOutputs {
  std::string json_path{};  ///< Empty: a new file in the results folder; "-": standard output.
  std::string csv_path{};   ///< Empty: none; "-": standard output.
  std::string plot_path{};  ///< Empty: none.
  journal::Event event{};   ///< The user's journal entry, and the sources and the rung of a bench.
  bool writes_journal = true;
  /// Adds to the results of a finished run, before they are written; may be empty.
  std::function<void(nlohmann::json& document)> complete{};
  std::vector<std::string> load{};  ///< The folders of --load, for messages.
};

/// The functions that draw for `run --plot`. Programs without them need not be built with the drawing modules.
struct Plotter {
  /// Throws Error if no picture can be drawn into the file. Called before anything is measured.
  std::function<void(const std::string& path)> require;
  /// Draws the content of a results file.
  std::function<void(const std::string& path, const nlohmann::json& results)> draw;
};

/// Performs a plan and returns the exit code. `sources`: the sources of the rungs, for journals. `plotter`: null in a
/// program that does not draw.
int run(const RunPlan& plan, const RunOutputs& outputs, const Sources& sources, const Plotter* plotter = nullptr);

/// Resumes the run of a results file with the cases that it lacks. `now` must have no options for a new run.
int resume(const std::string& path, const RunRequest& now, RunOutputs outputs, const Workloads& workloads,
           const Sources& sources, const Plotter* plotter = nullptr);

}  // namespace rafter::session
