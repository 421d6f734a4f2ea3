// rafter run.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cli/run/cases.hpp"
#include "cli/run/commands.hpp"
#include "cli/run/continued.hpp"
#include "cli/run/session.hpp"
#include "cli/stop_signals.hpp"
#include "cli/streams.hpp"
#include "workbench/journal/record.hpp"

namespace rafter::cli {

namespace {

/// Throws Error where times are wanted and there will be none.
void require_times(const RunOptions& options, Device device) {
  if (device != Device::simt && !options.check) return;
  const std::string none = device == Device::simt ? "times, and the executor has none" : "times, and --check has none";
  if (options.stages) throw Error(ErrorCode::bad_argument, "--stages shows " + none);
  if (!options.plot_path.empty()) throw Error(ErrorCode::bad_argument, "--plot draws " + none);
}

/// Throws Error, before anything is measured, where there is no way to draw.
void require_plot(const RunOptions& options, const Plotter* plotter) {
  if (options.plot_path.empty()) return;
  if (plotter == nullptr) throw Error(ErrorCode::unsupported, "this program does not draw");
  plotter->require(options.plot_path);
}

bool has_all(const EarlierRun& run, const std::vector<Job>& jobs, Device device) {
  return std::all_of(jobs.begin(), jobs.end(), [&](const Job& job) {
    return std::all_of(job.cases.begin(), job.cases.end(),
                       [&](const lab::Params& params) { return run.find(*job.workload, params, device).has_value(); });
  });
}

}  // namespace

int run(const RunOptions& typed, const Workloads& workloads, const Sources& sources, const Plotter* plotter) {
  std::optional<EarlierRun> before;
  if (!typed.continued.empty()) before.emplace(typed.continued);
  const RunOptions options = before ? before->options(typed) : typed;
  journal::require_words(options.event.words);
  const Device device = device_wanted(options.device, {"cpu", "cuda", "simt"});
  const auto jobs = jobs_of(options, workloads, device);
  require_times(options, device);
  require_plot(options, plotter);
  if (before && has_all(*before, jobs, device)) {
    fmt::print(stderr, "rafter: nothing is missing in {}: all its cases were measured\n", before->path());
    return exit_good;
  }
  const StopSignals signals;
  Session session(options, device, jobs, before ? &*before : nullptr);
  session.shows_sources(sources);
  int code = exit_good;
  try {
    session.begin();
    for (const Job& job : jobs) session.perform(job);
    code = session.end();
  } catch (const Stopped&) {
    return session.stopped();
  }
  if (!options.plot_path.empty()) session.draw(*plotter, options.plot_path);
  if (options.workloads.empty() && options.load.empty() && code == exit_good && options.json_path.empty() &&
      options.csv_path.empty()) {
    const std::string& first = jobs.front().workload->name;
    fmt::print(
        "Next:    rafter show {0}   (the ideas behind the rungs)   rafter run {0} --help   (sizes, rungs, JSON)\n",
        first);
  }
  return code;
}

}  // namespace rafter::cli
