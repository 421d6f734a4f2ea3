// rafter-solve: solve heat. Prints a heat run before, during and after.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "apps/solve/heat_checks.hpp"
#include "apps/solve/heat_faces.hpp"
#include "base/concurrent_runs.hpp"
#include "base/outputs.hpp"
#include "base/stop_signals.hpp"
#include "base/terminal.hpp"
#include "base/units.hpp"
#include "cli/tool.hpp"
#include "workbench/lab/machine/device_choice.hpp"
#include "workbench/lab/machine/machine.hpp"

namespace rafter::cli {

namespace {

using solve::HeatOutcome;

/// The columns of the progress table; narrower, with fewer digits, on a narrow terminal.
struct HeatColumns {
  int step = 10, time = 11, total = 15, extreme = 12, rate = 12, left = 9;
  int time_digits = 6, total_digits = 10, extreme_digits = 6;

  static HeatColumns for_width(int width) {
    if (width >= 93) return {};
    return {.step = 8,
            .time = 9,
            .total = 14,
            .extreme = 10,
            .rate = 7,
            .left = 8,
            .time_digits = 5,
            .total_digits = 8,
            .extreme_digits = 4};
  }

  std::string heading() const {
    const char* of_rate = rate < 12 ? "cells/s" : "cell steps/s";
    return fmt::format("{:>{}}  {:>{}}  {:>{}}  {:>{}}  {:>{}}  {:>{}}  {:>{}}", "step", step, "time", time,
                       "total heat", total, "min", extreme, "max", extreme, of_rate, rate, "left", left);
  }
  std::string row(std::int64_t at, double at_time, const HeatSummary& field, const std::string& pace,
                  const std::string& rest) const {
    return fmt::format("{:>{}}  {:>{}.{}g}  {:>{}.{}g}  {:>{}.{}g}  {:>{}.{}g}  {:>{}}  {:>{}}", at, step, at_time,
                       time, time_digits, field.total, total, total_digits, field.min, extreme, extreme_digits,
                       field.max, extreme, extreme_digits, pace, rate, rest, left);
  }
};

/// One `rafter solve heat`.
class HeatCommand {
 public:
  explicit HeatCommand(const SolveHeatOptions& options)
      : locks_(solve::lock_resumed(options.request)),
        job_(solve::parse_heat_job(options.request)),
        device_(lab::choose_device(options.device, {"cpu", "cuda"})),
        stream_(lab::make_stream(device_, options.n_threads)),
        output_(options.json_path),
        out_(output_.text_stream()) {}

  int run() {
    income_ = solve::income_of(job_);
    memory_ = solve::require_memory(job_, device_);
    disk_ = solve::require_disk(job_);
    solve::lock_outputs(plan(), locks_);
    solve::require_writable_outputs(plan());
    base::require_outputs({output_.file()}, {});
    concurrent_runs_.report();
    describe();
    const base::StopSignals signals;
    const HeatOutcome outcome = run_plan();
    progress_.clear();
    const int code = conclude(outcome);
    if (!output_.path().empty()) output_.write(to_json(job_, outcome, stream_).dump(1));
    return code;
  }

 private:
  const solve::HeatPlan& plan() const { return job_.plan; }

  void describe() const {
    const HeatProblem& problem = plan().problem;
    const auto [hz, hy, hx] = problem.spacing;
    fmt::print(out_, "heat on {} ({}", name(device_), lab::describe_device(device_));
    if (device_ == Device::cpu) fmt::print(out_, ", {} threads", stream_.n_threads());
    fmt::print(out_, ")\n");
    fmt::print(out_, "  grid     {}, spacing {}, {}\n", solve::show_shape(problem.shape),
               hz == hy && hy == hx ? fmt::format("{:g}", hx) : fmt::format("{:g},{:g},{:g}", hz, hy, hx),
               name(plan().precision));
    const solve::MediumNote& medium = plan().medium;
    fmt::print(out_, "  problem  alpha {:g}{}, order {}, dt {:.6g} (stable to {:.6g})\n",
               problem.alpha * medium.least_capacity, medium.diffusivity ? " at most" : "", problem.order, problem.dt,
               plan().largest_dt());
    if (medium.capacity) {
      fmt::print(out_, "  capacity {:g} at least: alpha is a conductivity, the diffusivity is {:g} at most\n",
                 medium.least_capacity, problem.alpha);
    }
    fmt::print(out_, "  faces    {}\n", solve::describe_faces(plan().faces, plan().reach()));
    if (!medium.changing_source.empty()) fmt::print(out_, "  source   {}\n", medium.changing_source);
    if (has_expressions_of_time())
      fmt::print(out_, "           expressions of faces and of t are evaluated on the CPU, in every step\n");
    if (plan().medium.source) fmt::print(out_, "  source   {:.6g} per time in all\n", income_.source);
    fmt::print(out_, "  from     {}\n", job_.beginning);
    fmt::print(out_, "  to       step {}, time {:.6g}\n", plan().n_steps,
               static_cast<double>(plan().n_steps) * problem.dt);
    fmt::print(out_, "  memory   {}\n", memory_);
    if (!disk_.empty()) fmt::print(out_, "  disk     {}\n", disk_);
    std::fflush(out_);
  }

  bool has_expressions_of_time() const {
    return device_ == Device::cuda && (plan().faces.has_expressions() || !plan().medium.changing_source.empty());
  }

  // ---- during ----

  HeatOutcome run_plan() {
    try {
      return solve::run_heat(stream_, plan(), job_.take_start(), watcher());
    } catch (const Error& error) {
      if (error.code() != ErrorCode::out_of_memory) throw;
      throw Error(error.code(), fmt::format("{}\n        {}", error.what(),
                                            solve::too_large_message(plan(), device_, lab::available_bytes(device_))));
    }
  }

  solve::HeatWatcher watcher() {
    fmt::print(out_, "\n{}\n", columns_.heading());
    return {.report = [this](const solve::HeatProgress& at, const HeatSummary& field) { row(at, field); },
            .progress =
                [this](const solve::HeatProgress& at) {
                  announce_long_run(at);
                  progress_.show(line(at), share(at));
                },
            .stop = base::StopSignals::arrived};
  }

  /// Prints an estimate once, after a second, if the run takes long: the table's first line may be hours away.
  void announce_long_run(const solve::HeatProgress& at) {
    constexpr double long_s = 600;
    const bool is_known = std::chrono::steady_clock::now() - began_ > std::chrono::seconds(1);
    if (was_announced_ || !is_known) return;
    was_announced_ = true;
    if (at.left_s < long_s) return;
    progress_.clear();
    fmt::print(out_, "about {} left, at {}\n", base::show_duration(at.left_s),
               base::show_rate(at.cell_steps_per_s, " cell steps/s"));
    std::fflush(out_);
  }

  static double share(const solve::HeatProgress& at) {
    return static_cast<double>(at.step) / static_cast<double>(std::max<std::int64_t>(1, at.n_steps));
  }

  static std::string line(const solve::HeatProgress& at) {
    return fmt::format("step {} of {}, t = {:.5g}, {}, {} left", at.step, at.n_steps, at.time,
                       base::show_rate(at.cell_steps_per_s, " cell steps/s"), base::show_duration(at.left_s));
  }

  void row(const solve::HeatProgress& at, const HeatSummary& field) {
    progress_.clear();
    const bool known = at.cell_steps_per_s > 0;
    fmt::print(out_, "{}\n",
               columns_.row(at.step, at.time, field, known ? base::show_rate(at.cell_steps_per_s, "") : "-",
                            known ? base::show_duration(at.left_s) : "-"));
    std::fflush(out_);
  }

  // ---- after ----

  int conclude(const HeatOutcome& outcome) const {
    if (outcome.ending == HeatOutcome::Ending::not_finite) return report_not_finite(outcome);
    const double drift = outcome.last.total - outcome.first.total;
    std::string change = fmt::format("total heat changed by {:.3g}", drift);
    if (outcome.first.total != 0) change += fmt::format(" ({:.2g} of it)", drift / std::abs(outcome.first.total));
    change += reason_of_change(static_cast<double>(outcome.step) * plan().problem.dt);
    fmt::print(out_, "\n{}", base::wrapped(change, "", "  "));
    if (plan().series) {
      fmt::print(out_, "fields   {} in {} (ParaView opens it)\n", outcome.n_fields,
                 solve::series_index(plan()).string());
    }
    if (plan().probes) fmt::print(out_, "probes   {}\n", plan().probes->path.string());
    if (outcome.ending == HeatOutcome::Ending::stopped) return report_stopped(outcome);
    if (outcome.ending == HeatOutcome::Ending::steady) {
      fmt::print(out_, "steady   no cell changed faster than {:g} per time: ended at step {} of {}\n", plan().steady,
                 outcome.step, plan().n_steps);
    }
    if (plan().picture) fmt::print(out_, "picture  {}\n", plan().picture->path.string());
    if (outcome.checkpoint) {
      fmt::print(out_, "more     rafter solve heat --resume {} --steps N\n", outcome.checkpoint->string());
    }
    return exit_good;
  }

  std::string reason_of_change(double time) const {
    if (plan().faces.has_expressions() || !plan().medium.changing_source.empty())
      return "; sources and faces as expressions let heat through";
    if (!solve::has_prescribed_flow(plan().faces)) return "; faces with fixed values let heat through";
    if (income_.total == 0) return "; this boundary conserves it up to rounding";
    return fmt::format("; sources and fluxes brought {:.10g}", income_.total * time);
  }

  int report_not_finite(const HeatOutcome& outcome) const {
    fmt::print(stderr, "rafter: the field is no longer finite at step {} (total {}, min {}, max {})\n", outcome.step,
               outcome.last.total, outcome.last.min, outcome.last.max);
    if (outcome.bad_cell) fmt::print(stderr, "        the first is {}\n", solve::show_cell(*outcome.bad_cell));
    const bool from_the_start = outcome.step == outcome.first_step;
    fmt::print(stderr, "        {}\n",
               from_the_start ? "the initial field has infinities or NaN: check its file"
                              : "its values exceed the range of the dtype: scale them down, or use --dtype float64");
    if (outcome.checkpoint) {
      fmt::print(stderr, "        the last checkpoint is of step {}: {}\n", outcome.checkpoint_step,
                 outcome.checkpoint->string());
    }
    return exit_no;
  }

  int report_stopped(const HeatOutcome& outcome) const {
    fmt::print(stderr, "rafter: stopped by a signal at step {} of {}\n", outcome.step, plan().n_steps);
    if (outcome.checkpoint) {
      fmt::print(stderr, "        continue with: rafter solve heat --resume {}\n", outcome.checkpoint->string());
    } else {
      fmt::print(stderr, "        the run is lost; --checkpoint FILE keeps it\n");
    }
    return exit_stopped;
  }

  solve::OutputLocks locks_;
  solve::HeatJob job_;
  Device device_;
  Stream stream_;
  base::OutputFile output_;
  std::FILE* out_;
  const HeatColumns columns_ = HeatColumns::for_width(base::output_columns());
  std::string memory_, disk_;
  solve::HeatIncome income_;
  base::ProgressLine progress_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  bool was_announced_ = false;
  base::ConcurrentRuns concurrent_runs_{"solve heat"};
};

}  // namespace

}  // namespace rafter::cli

int main(int argc, char** argv) {
  using namespace rafter::cli;
  return tool(argc, argv, Performer{[](const SolveHeatOptions& options) { return HeatCommand(options).run(); }});
}
