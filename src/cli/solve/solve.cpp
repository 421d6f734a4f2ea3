// rafter solve heat: what is said before, during and after a run.
#include "cli/solve/solve.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "apps/solve/checkpoint.hpp"
#include "apps/solve/heat_faces.hpp"
#include "apps/solve/heat_run.hpp"
#include "apps/solve/needs.hpp"
#include "base/files.hpp"
#include "base/terminal.hpp"
#include "base/units.hpp"
#include "cli/neighbours.hpp"
#include "cli/outputs.hpp"
#include "cli/solve/output_locks.hpp"
#include "cli/solve/plan.hpp"
#include "cli/solve/table.hpp"
#include "cli/stop_signals.hpp"
#include "cli/streams.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/machine/machine.hpp"

namespace rafter::cli {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using solve::HeatOutcome;

/// One `rafter solve heat`.
class HeatCommand {
 public:
  explicit HeatCommand(const SolveHeatOptions& options)
      : options_(options),
        locks_(locks_to_resume(options)),
        job_(heat_job(options)),
        device_(device_wanted(options.device, {"cpu", "cuda"})),
        stream_(stream_on(device_, options.n_threads)),
        outcome_file_(options.json_path),
        out_(outcome_file_.for_people()) {}

  int run() {
    add_up_income();
    require_memory();
    require_disk();
    require_alone();
    require_writable();
    neighbours_.mention();
    describe();
    const StopSignals signals;
    const HeatOutcome outcome = run_plan();
    progress_.clear();
    const int code = conclude(outcome);
    write_json(outcome);
    return code;
  }

 private:
  const solve::HeatPlan& plan() const { return job_.plan; }
  std::int64_t first_step() const { return job_.start ? job_.start->step : 0; }

  // ---- before ----

  void add_up_income() {
    const auto [shape, spacing] = std::pair(plan().problem.shape, plan().problem.spacing);
    if (job_.medium.source) {
      std::visit([&](const auto& cells) { source_income_ = std::accumulate(cells.begin(), cells.end(), 0.); },
                 job_.medium.source->values);
    }
    source_income_ *= spacing.z * spacing.y * spacing.x;
    income_ = source_income_ + solve::prescribed_flow(plan().faces, shape, spacing);
  }

  void require_memory() {
    const std::int64_t need = solve::memory_need(plan()).on(device_);
    const std::int64_t loaded = device_ == Device::cpu && job_.start ? solve::memory_need(plan()).host_bytes : 0;
    const std::int64_t there = lab::available_bytes(device_) + loaded;
    memory_ = fmt::format("{} of {} available", base::show_bytes(static_cast<double>(need)),
                          base::show_bytes(static_cast<double>(there)));
    // A GPU refuses what it does not have when asked; a CPU promises it, and is killed later.
    const double certain = device_ == Device::cpu ? static_cast<double>(need) : 0.75 * static_cast<double>(need);
    if (certain > static_cast<double>(there)) throw Error(ErrorCode::out_of_memory, too_large(need, there));
  }

  std::string too_large(std::int64_t need, std::int64_t there) const {
    const std::int64_t cube = solve::largest_cube(plan(), device_, there);
    return fmt::format("a grid of {} in {} needs {} on {}, which has {} available; what would fit: {}^3{}",
                       solve::show_shape(plan().problem.shape), name(plan().precision),
                       base::show_bytes(static_cast<double>(need)), name(device_),
                       base::show_bytes(static_cast<double>(there)), cube,
                       plan().precision == solve::Precision::float64 ? ", or float32" : "");
  }

  void require_disk() {
    for (const solve::DiskNeed& need : solve::disk_needs(plan(), first_step())) {
      const std::string wanted = base::show_bytes(static_cast<double>(need.bytes));
      const std::string there =
          fmt::format("{} free in {}", base::show_bytes(static_cast<double>(need.free_bytes)), need.folder.string());
      if (need.bytes > need.free_bytes) {
        throw Error(ErrorCode::io,
                    fmt::format("this run's files need {}, but there are {}; write less often (--every), "
                                "in float32, or elsewhere",
                                wanted, there));
      }
      disk_ += fmt::format("{}{} of {}", disk_.empty() ? "" : "; ", wanted, there);
    }
  }

  /// A run has its folder and its checkpoint to itself as long as it lasts; the one it goes on from before it is read.
  static OutputLocks locks_to_resume(const SolveHeatOptions& options) {
    OutputLocks locks;
    std::error_code error;
    if (fs::exists(options.resume, error)) locks.take_file(solve::current_checkpoint(options.resume));
    return locks;
  }

  void require_alone() {
    if (plan().series) locks_.take_folder(plan().series->folder);
    if (plan().checkpoint) locks_.take_file(plan().checkpoint->path);
  }

  void require_writable() const {
    if (plan().checkpoint) {
      base::require_writable(plan().checkpoint->path);
      base::remove_partial_files(plan().checkpoint->path);
    }
    if (plan().picture) base::require_writable(plan().picture->path);
    require_outputs({outcome_file_.file()}, {});
  }

  void describe() const {
    const HeatProblem& problem = plan().problem;
    const auto [hz, hy, hx] = problem.spacing;
    fmt::print(out_, "heat on {} ({}", name(device_), lab::describe_device(device_));
    if (device_ == Device::cpu) fmt::print(out_, ", {} threads", stream_.n_threads());
    fmt::print(out_, ")\n");
    fmt::print(out_, "  grid     {}, spacing {}, {}\n", solve::show_shape(problem.shape),
               hz == hy && hy == hx ? fmt::format("{:g}", hx) : fmt::format("{:g},{:g},{:g}", hz, hy, hx),
               name(plan().precision));
    fmt::print(out_, "  problem  alpha {:g}{}, order {}, dt {:.6g} (stable to {:.6g})\n", problem.alpha,
               plan().medium.diffusivity ? " at most" : "", problem.order, problem.dt,
               conduction_largest_dt(problem, plan().faces));
    fmt::print(out_, "  faces    {}\n", solve::describe_faces(plan().faces, problem.radius()));
    if (plan().medium.source) fmt::print(out_, "  source   {:.6g} per time in all\n", source_income_);
    fmt::print(out_, "  from     {}\n", job_.beginning);
    fmt::print(out_, "  to       step {}, time {:.6g}\n", plan().n_steps,
               static_cast<double>(plan().n_steps) * problem.dt);
    fmt::print(out_, "  memory   {}\n", memory_);
    if (!disk_.empty()) fmt::print(out_, "  disk     {}\n", disk_);
    std::fflush(out_);
  }

  solve::HeatStart start() {
    const HeatProblem& problem = plan().problem;
    solve::HeatStart start =
        job_.start ? std::move(*job_.start)
                   : solve::HeatStart{
                         solve::initial_field(job_.initial, problem.shape, problem.spacing, plan().precision), 0, {}};
    start.medium = std::move(job_.medium);
    return start;
  }

  // ---- during ----

  HeatOutcome run_plan() {
    try {
      return solve::run_heat(stream_, plan(), start(), watcher());
    } catch (const Error& error) {
      if (error.code() != ErrorCode::out_of_memory) throw;
      const std::int64_t need = solve::memory_need(plan()).on(device_);
      throw Error(error.code(),
                  fmt::format("{}\n        {}", error.what(), too_large(need, lab::available_bytes(device_))));
    }
  }

  solve::HeatWatcher watcher() {
    fmt::print(out_, "\n{}\n", columns_.heading());
    return {.report = [this](const solve::HeatProgress& at, const HeatSummary& field) { row(at, field); },
            .progress = [this](const solve::HeatProgress& at) { progress_.show(line(at), share(at)); },
            .stop = StopSignals::arrived};
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
    if (outcome.ending == HeatOutcome::Ending::not_finite) return complain_not_finite(outcome);
    const double drift = outcome.last.total - outcome.first.total;
    std::string change = fmt::format("total heat changed by {:.3g}", drift);
    if (outcome.first.total != 0) change += fmt::format(" ({:.2g} of it)", drift / std::abs(outcome.first.total));
    change += reason_of_change(static_cast<double>(outcome.step) * plan().problem.dt);
    fmt::print(out_, "\n{}", base::wrapped(change, "", "  "));
    if (plan().series) {
      fmt::print(out_, "fields   {} in {} (ParaView opens it)\n", outcome.n_fields, index().string());
    }
    if (outcome.ending == HeatOutcome::Ending::stopped) return say_stopped(outcome);
    if (plan().picture) fmt::print(out_, "picture  {}\n", plan().picture->path.string());
    if (outcome.checkpoint) {
      fmt::print(out_, "more     rafter solve heat --resume {} --steps N\n", outcome.checkpoint->string());
    }
    return exit_good;
  }

  std::string reason_of_change(double time) const {
    if (!solve::has_prescribed_flow(plan().faces)) return "; faces that keep values let heat through";
    if (income_ == 0) return "; this boundary keeps it, but for rounding";
    return fmt::format("; sources and fluxes brought {:.10g}", income_ * time);
  }

  fs::path index() const { return plan().series->folder / "heat.xdmf"; }

  int complain_not_finite(const HeatOutcome& outcome) const {
    fmt::print(stderr, "rafter: the field is no longer finite at step {} (total {}, min {}, max {})\n", outcome.step,
               outcome.last.total, outcome.last.min, outcome.last.max);
    if (outcome.bad_cell) fmt::print(stderr, "        the first is {}\n", solve::show_cell(*outcome.bad_cell));
    const bool from_the_start = outcome.step == outcome.first_step;
    fmt::print(stderr, "        {}\n",
               from_the_start ? "it begins with infinities or NaN: look at the file it came from"
                              : "its values left the range of the dtype: scale them down, or use --dtype float64");
    if (outcome.checkpoint) {
      fmt::print(stderr, "        the checkpoint is still that of step {}: {}\n", outcome.checkpoint_step,
                 outcome.checkpoint->string());
    }
    return exit_no;
  }

  int say_stopped(const HeatOutcome& outcome) const {
    fmt::print(stderr, "rafter: stopped by a signal at step {} of {}\n", outcome.step, plan().n_steps);
    if (outcome.checkpoint) {
      fmt::print(stderr, "        go on with: rafter solve heat --resume {}\n", outcome.checkpoint->string());
    } else {
      fmt::print(stderr, "        nothing was kept of it; --checkpoint FILE would have\n");
    }
    return exit_stopped;
  }

  void write_json(const HeatOutcome& outcome) const {
    if (options_.json_path.empty()) return;
    constexpr const char* endings[] = {"finished", "stopped", "not finite"};
    const auto summary = [](const HeatSummary& s) { return json{{"total", s.total}, {"min", s.min}, {"max", s.max}}; };
    json result = to_json(plan(), outcome.step, outcome.first);
    result["shape"] = {plan().problem.shape.nz, plan().problem.shape.ny, plan().problem.shape.nx};
    result["dtype"] = name(plan().precision);
    result["beginning"] = job_.beginning;
    result["device"] = name(device_);
    result["machine"] = lab::fingerprint(device_, stream_.n_threads());
    result["ending"] = endings[static_cast<int>(outcome.ending)];
    result["time"] = static_cast<double>(outcome.step) * plan().problem.dt;
    result["last"] = summary(outcome.last);
    result["first_step"] = outcome.first_step;
    result["computing_s"] = outcome.computing_s;
    result["elapsed_s"] = outcome.elapsed_s;
    const auto n_cell_steps = static_cast<double>((outcome.step - outcome.first_step) * plan().problem.shape.n_cells());
    result["cell_steps_per_s"] = outcome.computing_s > 0 ? n_cell_steps / outcome.computing_s : 0.;
    if (plan().series) result["series"] = {{"index", index().string()}, {"n_fields", outcome.n_fields}};
    if (outcome.checkpoint) {
      result["checkpoint"] = {{"path", outcome.checkpoint->string()}, {"step", outcome.checkpoint_step}};
    }
    outcome_file_.write(result.dump(1));
  }

  const SolveHeatOptions& options_;
  OutputLocks locks_;
  HeatJob job_;
  Device device_;
  Stream stream_;
  OutcomeFile outcome_file_;
  std::FILE* out_;
  const HeatColumns columns_ = HeatColumns::for_width(base::output_columns());
  std::string memory_, disk_;
  double source_income_ = 0;  // per time
  double income_ = 0;         // with that of fluxes through faces
  base::ProgressLine progress_;
  Neighbours neighbours_{"solve heat"};
};

}  // namespace

int solve_heat(const SolveHeatOptions& options) { return HeatCommand(options).run(); }

}  // namespace rafter::cli
