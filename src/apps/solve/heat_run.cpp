#include "apps/solve/heat_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "apps/solve/checkpoint.hpp"
#include "apps/solve/expression_field.hpp"
#include "rafter/error.hpp"
#include "workbench/draw/render.hpp"

namespace rafter::solve {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Returns whether an event that happens every `every` steps is due at `step`; never for 0.
bool is_due(std::int64_t step, std::int64_t every) { return every > 0 && step % every == 0; }

std::int64_t next_due(std::int64_t step, std::int64_t every, std::int64_t end) {
  return every > 0 ? std::min(end, (step / every + 1) * every) : end;
}

template <class T>
HeatSolver<T> solver_for(const Stream& stream, const HeatPlan& plan, HeatBoundary boundary) {
  return {stream, plan.problem, boundary};
}

template <class T>
ConductionSolver<T> solver_for(const Stream& stream, const HeatPlan& plan, HeatMedium medium) {
  const auto& [shape, spacing] = std::pair(plan.problem.shape, plan.problem.spacing);
  ConductionSolver<T> solver(stream, plan.problem, plan.faces);
  if (medium.capacity) solver.set_capacity(std::get<std::vector<T>>(medium.capacity->values));
  for (const GridSide side : {GridSide::low, GridSide::high}) {
    const auto& expressions = side == GridSide::low ? plan.faces.low_expressions : plan.faces.high_expressions;
    for (int axis = 0; axis < 3; ++axis) {
      const std::string& text = expressions[static_cast<std::size_t>(axis)];
      if (!text.empty()) solver.set_face(axis, side, ExpressionValues(text, shape, spacing, axis, side));
    }
  }
  if (medium.diffusivity) solver.set_diffusivity(std::get<std::vector<T>>(medium.diffusivity->values));
  if (medium.source) solver.set_source(std::get<std::vector<T>>(medium.source->values));
  const std::string& changing = plan.medium.changing_source;
  if (!changing.empty()) solver.set_source(TimeFunction<T>(ExpressionValues(changing, shape, spacing)));
  return solver;
}

template <class T, class Solver>
class HeatRun {
 public:
  HeatRun(const Stream& stream, const HeatPlan& plan, Solver solver, HeatStart start, const HeatWatcher& watcher)
      : stream_(stream),
        plan_(plan),
        watcher_(watcher),
        host_(std::move(std::get<std::vector<T>>(start.field.values))),
        solver_(std::move(solver)),
        first_(start.first) {
    solver_.set_field(host_, start.step);
    host_step_ = start.step;
    outcome_.first_step = start.step;
    outcome_.checkpoint = start.checkpoint;
    outcome_.checkpoint_step = start.step;
    if (plan.series) open_series(start.step);
    if (plan.probes) probes_.emplace(*plan.probes, start.step);
  }

  HeatOutcome run() {
    try {
      steps();
    } catch (const Error& error) {
      explain(error);
    }
    outcome_.step = solver_.n_steps();
    outcome_.last = summary_;
    outcome_.first = *first_;
    outcome_.elapsed_s = seconds_since(began_);
    if (series_) outcome_.n_fields = series_->n_fields();
    return outcome_;
  }

 private:
  std::int64_t step() const { return solver_.n_steps(); }
  bool is_steady() const { return outcome_.ending == HeatOutcome::Ending::steady; }
  bool at_end() const { return step() == plan_.n_steps || is_steady(); }

  void open_series(std::int64_t from) {
    const auto start = from > 0                  ? Series::Start::go_on
                       : plan_.series->overwrite ? Series::Start::overwrite
                                                 : Series::Start::fresh;
    series_.emplace(Series::Setup{plan_.series->folder, "heat", plan_.series->format, plan_.precision, plan_.note(0),
                                  plan_.problem.dt},
                    start, from);
  }

  void steps() {
    if (!summarise()) return;
    report();
    find_steady_state();
    if (step() == 0 || at_end()) write_outputs();
    while (!at_end()) {
      if (watcher_.stop && watcher_.stop()) {
        outcome_.ending = HeatOutcome::Ending::stopped;
        if (plan_.checkpoint && summarise()) write_checkpoint_file();
        return;
      }
      advance();
      if (!is_event()) continue;
      if (!summarise()) return;
      if (is_due(step(), plan_.report_every)) find_steady_state();
      if (is_due(step(), plan_.report_every) || at_end() || seconds_since(reported_) > 60) report();
      write_outputs();
      if (plan_.checkpoint && checkpoint_is_due()) write_checkpoint_file();
    }
  }

  /// Compares the field with that of the last report: the run ends if no cell has changed faster than wanted.
  void find_steady_state() {
    if (plan_.steady == 0) return;
    const std::span<const T> now = host();
    if (!before_.empty()) {
      double most = 0;
      for (std::size_t i = 0; i < now.size(); ++i)
        most = std::max(most, std::fabs(static_cast<double>(now[i]) - static_cast<double>(before_[i])));
      const double time = static_cast<double>(step() - before_step_) * plan_.problem.dt;
      if (most <= plan_.steady * time) outcome_.ending = HeatOutcome::Ending::steady;
    }
    before_.assign(now.begin(), now.end());
    before_step_ = step();
  }

  /// Advances to the next event, or for a fraction of a second, so that signals and progress are handled promptly.
  void advance() {
    std::int64_t end = next_due(step(), plan_.report_every, plan_.n_steps);
    if (plan_.series) end = next_due(step(), plan_.series->every, end);
    if (plan_.picture) end = next_due(step(), plan_.picture->every, end);
    if (plan_.checkpoint) end = next_due(step(), plan_.checkpoint->every_steps, end);
    if (plan_.probes) end = next_due(step(), plan_.probes->every, end);
    const std::int64_t n = std::min(chunk_, end - step());
    const auto start = Clock::now();
    solver_.advance(n);
    stream_.synchronize();
    const double elapsed_s = seconds_since(start);
    outcome_.computing_s += elapsed_s;
    const double pace = static_cast<double>(n) / elapsed_s;
    steps_per_s_ = steps_per_s_ > 0 ? 0.8 * steps_per_s_ + 0.2 * pace : pace;
    if (n == chunk_ && elapsed_s < 0.1) chunk_ *= 2;
    if (elapsed_s > 0.4) chunk_ = std::max<std::int64_t>(1, chunk_ / 2);
    if (watcher_.progress) watcher_.progress(progress());
  }

  bool is_event() const {
    return at_end() || is_due(step(), plan_.report_every) || (plan_.series && is_due(step(), plan_.series->every)) ||
           (plan_.probes && is_due(step(), plan_.probes->every)) ||
           (plan_.picture && is_due(step(), plan_.picture->every)) || (plan_.checkpoint && checkpoint_is_due()) ||
           seconds_since(reported_) > 60;
  }

  bool checkpoint_is_due() const {
    const CheckpointPlan& plan = *plan_.checkpoint;
    if (at_end()) return true;
    return plan.every_steps > 0 ? is_due(step(), plan.every_steps) : seconds_since(kept_) >= plan.every_s;
  }

  /// Summarises the field; returns false if it is not finite.
  bool summarise() {
    if (summary_step_ != step()) summary_ = solver_.summary();
    summary_step_ = step();
    if (!first_) first_ = summary_;
    const bool finite = std::isfinite(summary_.total) && std::isfinite(summary_.min) && std::isfinite(summary_.max);
    if (finite) return true;
    outcome_.ending = HeatOutcome::Ending::not_finite;
    outcome_.bad_cell = first_cell_not([](T value) { return std::isfinite(value); }, plan_.problem.shape, host());
    return false;
  }

  HeatProgress progress() const {
    HeatProgress progress{step(), plan_.n_steps, solver_.time(), 0, 0};
    if (steps_per_s_ == 0) return progress;
    const double with_files = seconds_since(began_) / outcome_.computing_s;  // includes the time of files
    progress.cell_steps_per_s = steps_per_s_ * static_cast<double>(plan_.problem.shape.n_cells());
    progress.left_s = static_cast<double>(plan_.n_steps - step()) / steps_per_s_ * with_files;
    return progress;
  }

  void report() {
    reported_ = Clock::now();
    if (watcher_.report) watcher_.report(progress(), summary_);
  }

  std::span<const T> host() {
    if (host_step_ != step()) solver_.field(host_);
    host_step_ = step();
    return host_;
  }

  void write_outputs() {
    const bool edge = step() == 0 || at_end();
    if (series_ && (is_due(step(), plan_.series->every) || edge) && !(at_end() && series_->has(step()))) {
      series_->add(step(), host());
    }
    if (probes_ && (is_due(step(), plan_.probes->every) || edge))
      probes_->add(step(), solver_.time(), plan_.problem.shape, host());
    if (!plan_.picture) return;
    if (is_due(step(), plan_.picture->every)) write_picture(picture_path(plan_.picture->path, step()));
    if (at_end()) write_picture(plan_.picture->path);
  }

  void write_picture(const fs::path& path) {
    const FieldNote note = plan_.note(step());
    const PicturePlan& plan = *plan_.picture;
    draw::write_figure(path, picture_of(slice_of(note, host(), plan.cut), note, plan.range));
  }

  void write_checkpoint_file() {
    const auto older =
        outcome_.checkpoint ? OlderCheckpoint::kept : OlderCheckpoint::dropped;  // belongs to another run
    write_checkpoint(plan_.checkpoint->path, to_json(plan_, step(), *first_), plan_.problem.shape, host(), older);
    kept_ = Clock::now();
    outcome_.checkpoint = plan_.checkpoint->path;
    outcome_.checkpoint_step = step();
  }

  /// Rethrows an error with the state of the run. The field is still valid when a file could not be written.
  [[noreturn]] void explain(const Error& error) {
    std::string where = fmt::format("{}\n  the run stopped at step {} of {}", error.what(), step(), plan_.n_steps);
    if (plan_.checkpoint && error.code() == ErrorCode::io &&
        !(outcome_.checkpoint && outcome_.checkpoint_step == step())) {
      try {
        write_checkpoint_file();
      } catch (const Error&) {  // the older checkpoint remains
      }
    }
    if (outcome_.checkpoint) {
      where += fmt::format("; resume it from its checkpoint of step {}: rafter solve heat --resume {}",
                           outcome_.checkpoint_step, outcome_.checkpoint->string());
    } else {
      where += ", without a checkpoint";
    }
    throw Error(error.code(), where);
  }

  Stream stream_;
  const HeatPlan& plan_;
  const HeatWatcher& watcher_;
  std::vector<T> host_;  // the field at host_step_
  std::int64_t host_step_ = -1;
  Solver solver_;
  std::optional<Series> series_;
  std::optional<ProbeFile> probes_;
  std::vector<T> before_;  // the field at before_step_, if the run may end in a steady state
  std::int64_t before_step_ = 0;
  HeatSummary summary_;  // at step summary_step_
  std::int64_t summary_step_ = -1;
  std::optional<HeatSummary> first_;
  std::int64_t chunk_ = 1;  // steps enqueued at a time
  double steps_per_s_ = 0;  // recent rate
  Clock::time_point began_ = Clock::now();
  Clock::time_point reported_ = began_;
  Clock::time_point kept_ = began_;
  HeatOutcome outcome_;
};

template <class T>
HeatOutcome run_in(const Stream& stream, const HeatPlan& plan, HeatStart start, const HeatWatcher& watcher) {
  const auto run = [&](auto solver) {
    return HeatRun<T, decltype(solver)>(stream, plan, std::move(solver), std::move(start), watcher).run();
  };
  if (const auto boundary = plan.plain()) return run(solver_for<T>(stream, plan, *boundary));
  return run(solver_for<T>(stream, plan, std::move(start.medium)));
}

}  // namespace

fs::path picture_path(const fs::path& path, std::int64_t step) {
  fs::path name = path.stem();
  name += fmt::format("_{:08}", step);
  name += path.extension();
  return path.parent_path() / name;
}

HeatOutcome run_heat(const Stream& stream, const HeatPlan& plan, HeatStart start, const HeatWatcher& watcher) {
  return plan.precision == Precision::float32 ? run_in<float>(stream, plan, std::move(start), watcher)
                                              : run_in<double>(stream, plan, std::move(start), watcher);
}

}  // namespace rafter::solve
