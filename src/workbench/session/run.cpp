#include "workbench/session/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/exit_code.hpp"
#include "base/stop_signals.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/data/generate.hpp"
#include "workbench/lab/machine/device_choice.hpp"
#include "workbench/session/earlier_run.hpp"
#include "workbench/session/session.hpp"

namespace rafter::session {

namespace {

lab::Regime regime_called(const std::string& wanted) {
  for (const auto regime : {lab::Regime::cold, lab::Regime::warm, lab::Regime::graph, lab::Regime::wall}) {
    if (name(regime) == wanted) return regime;
  }
  throw Error(ErrorCode::bad_argument, fmt::format("unknown regime '{}'", wanted));
}

/// Seconds of timing for each rung. A run of all workloads should take about a minute.
double timing_cap_s(const RunPlan& plan) {
  constexpr double all_s = 20;
  const double one_s = lab::RoundsOptions{}.cap_s;
  if (plan.request.seconds > 0) return plan.request.seconds;
  if (is_round_of_comparison()) return 1;  // starting the process takes as long
  if (plan.request.quick) return 0.3;
  if (!plan.request.workloads.empty()) return one_s;
  std::size_t n_rungs = 0;
  for (const Job& job : plan.jobs) n_rungs += job.cases.size() * rungs_on(*job.workload, plan.device).size();
  return std::clamp(all_s / static_cast<double>(std::max(n_rungs, std::size_t{1})), 0.05, one_s);
}

/// Throws Error if an output needs times and the run takes none.
void require_times(const RunPlan& plan, const RunOutputs& outputs) {
  if (!plan.only_checks()) return;
  const std::string none =
      plan.device == Device::simt ? "times, and the executor has none" : "times, and --check has none";
  if (plan.request.stages) throw Error(ErrorCode::bad_argument, "--stages shows " + none);
  if (!outputs.plot_path.empty()) throw Error(ErrorCode::bad_argument, "--plot draws " + none);
}

void require_plot(const RunOutputs& outputs, const Plotter* plotter) {
  if (outputs.plot_path.empty()) return;
  if (plotter == nullptr) throw Error(ErrorCode::unsupported, "this program does not draw");
  plotter->require(outputs.plot_path);
}

bool has_all(const EarlierRun& before, const RunPlan& plan) {
  return std::all_of(plan.jobs.begin(), plan.jobs.end(), [&](const Job& job) {
    return std::all_of(job.cases.begin(), job.cases.end(), [&](const lab::Params& params) {
      return before.find(*job.workload, params, plan.device).has_value();
    });
  });
}

int perform(const RunPlan& plan, const RunOutputs& outputs, const Sources& sources, const Plotter* plotter,
            const EarlierRun* before) {
  const base::StopSignals signals(base::OnStop::polled,
                                  "\nrafter: stopping after this measurement; a second signal stops at once\n");
  Session session(plan, outputs, sources, before);
  int code = base::exit_good;
  try {
    session.begin();
    for (const Job& job : plan.jobs) session.perform(job);
    code = session.end();
  } catch (const Stopped&) {
    return session.stopped();
  }
  if (!outputs.plot_path.empty()) session.draw(*plotter, outputs.plot_path);
  if (plan.request.workloads.empty() && outputs.load.empty() && code == base::exit_good && outputs.json_path.empty() &&
      outputs.csv_path.empty()) {
    const std::string& first = plan.jobs.front().workload->name;
    fmt::print(
        "Next:    rafter show {0}   (the ideas behind the rungs)   rafter run {0} --help   (sizes, rungs, JSON)\n",
        first);
  }
  return code;
}

}  // namespace

std::size_t RunPlan::n_cases() const {
  std::size_t n = 0;
  for (const Job& job : jobs) n += job.cases.size();
  return n;
}

RunPlan make_plan(const RunRequest& request, const Workloads& workloads) {
  const Device device = lab::choose_device(request.device, {"cpu", "cuda", "simt"});
  return make_plan(request, device, parse_jobs(request, workloads, device));
}

RunPlan make_plan(const RunRequest& request, Device device, std::vector<Job> jobs) {
  RunPlan plan{.request = request, .device = device, .jobs = std::move(jobs)};
  lab::MeasureOptions& measure = plan.measure;
  measure.seed =
      request.seed.empty() ? lab::fresh_seed() : static_cast<std::uint64_t>(lab::parse_integer(request.seed));
  measure.rounds.regime = regime_called(request.regime);
  measure.all_regimes = request.all_regimes;
  measure.stages = request.stages;
  measure.only = request.rungs;
  measure.rounds.cap_s = timing_cap_s(plan);
  measure.rounds.settle_s = std::min(measure.rounds.settle_s, measure.rounds.cap_s / 4);
  return plan;
}

int run(const RunPlan& plan, const RunOutputs& outputs, const Sources& sources, const Plotter* plotter) {
  journal::require_words(outputs.event.words);
  require_times(plan, outputs);
  require_plot(outputs, plotter);
  return perform(plan, outputs, sources, plotter, nullptr);
}

int resume(const std::string& path, const RunRequest& now, RunOutputs outputs, const Workloads& workloads,
           const Sources& sources, const Plotter* plotter) {
  const EarlierRun before(path);
  const RunRequest request = before.resumed(now);
  if (outputs.json_path.empty()) outputs.json_path = path;
  journal::require_words(outputs.event.words);
  const RunPlan plan = make_plan(request, workloads);
  require_times(plan, outputs);
  require_plot(outputs, plotter);
  if (has_all(before, plan)) {
    fmt::print(stderr, "rafter: nothing is missing in {}: all its cases were measured\n", path);
    return base::exit_good;
  }
  return perform(plan, outputs, sources, plotter, &before);
}

}  // namespace rafter::session
