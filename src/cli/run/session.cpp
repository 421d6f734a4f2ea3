#include "cli/run/session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/units.hpp"
#include "cli/stop_signals.hpp"
#include "cli/streams.hpp"
#include "workbench/journal/record.hpp"
#include "workbench/lab/data/generate.hpp"
#include "workbench/lab/machine/machine.hpp"
#include "workbench/lab/report/checked_table.hpp"
#include "workbench/lab/report/results.hpp"
#include "workbench/lab/report/stage_table.hpp"
#include "workbench/lab/report/table.hpp"

namespace rafter::cli {

namespace {

lab::Regime regime_called(const std::string& wanted) {
  for (const auto regime : {lab::Regime::cold, lab::Regime::warm, lab::Regime::graph, lab::Regime::wall}) {
    if (name(regime) == wanted) return regime;
  }
  throw Error(ErrorCode::bad_argument, fmt::format("unknown regime '{}'", wanted));
}

/// Whether this run is one of many that 'rafter compare --builds' starts: short, and nobody asks how the roofs were at
/// its end.
bool is_round_of_comparison() { return std::getenv("RAFTER_ROUND_OF_COMPARISON") != nullptr; }

/// Seconds of timing for each rung: everything there is, together, should take about a minute.
double timing_cap_s(const RunOptions& options, const std::vector<Job>& jobs, Device device) {
  constexpr double all_s = 20;
  const double one_s = lab::RoundsOptions{}.cap_s;
  if (options.seconds > 0) return options.seconds;
  if (is_round_of_comparison()) return 1;  // to start it takes as long
  if (options.quick) return 0.3;
  if (!options.workloads.empty()) return one_s;
  std::size_t n_rungs = 0;
  for (const Job& job : jobs) n_rungs += job.cases.size() * rungs_on(*job.workload, device).size();
  return std::clamp(all_s / static_cast<double>(std::max(n_rungs, std::size_t{1})), 0.05, one_s);
}

/// The parameter given as a list, if one is: the same for all jobs.
const lab::Parameter* swept_by(const std::vector<Job>& jobs) { return jobs.empty() ? nullptr : jobs.front().swept; }

std::size_t count_cases(const std::vector<Job>& jobs) {
  std::size_t n = 0;
  for (const Job& job : jobs) n += job.cases.size();
  return n;
}

lab::MeasureOptions measuring(const RunOptions& options, const std::vector<Job>& jobs, Device device) {
  lab::MeasureOptions measure;
  measure.seed =
      options.seed.empty() ? lab::fresh_seed() : static_cast<std::uint64_t>(lab::parse_integer(options.seed));
  measure.rounds.regime = regime_called(options.regime);
  measure.all_regimes = options.all_regimes;
  measure.stages = options.stages;
  measure.only = options.rungs;
  measure.rounds.cap_s = timing_cap_s(options, jobs, device);
  measure.rounds.settle_s = std::min(measure.rounds.settle_s, measure.rounds.cap_s / 4);
  return measure;
}

lab::ResultsFile results_file(const RunOptions& options, const std::vector<Job>& jobs, const Stream& stream,
                              std::uint64_t seed) {
  const nlohmann::json run = kept_options(options, stream.device(), seed, stream.n_threads(), count_cases(jobs));
  return {options.json_path, stream.device(), stream.n_threads(), swept_by(jobs), &run};
}

void stop_if_asked() {
  if (StopSignals::arrived()) throw Stopped();
}

}  // namespace

Session::Session(const RunOptions& options, Device device, const std::vector<Job>& jobs, const EarlierRun* before)
    : options_(options),
      before_(before),
      neighbours_(fmt::format("run {}{}on {}", fmt::join(options.workloads, " "), options.workloads.empty() ? "" : " ",
                              name(device))),
      stream_(stream_on(device, options.n_threads)),
      measure_(measuring(options, jobs, device)),
      n_cases_(count_cases(jobs)),
      results_(results_file(options, jobs, stream_, measure_.seed)),
      csv_(options.csv_path),
      out_(results_.to_stdout() || csv_.is_stdout() ? stderr : stdout) {
  if (results_.to_stdout() && csv_.is_stdout())
    throw Error(ErrorCode::bad_argument, "--json and --csv cannot both have the standard output");
  require_outputs({csv_.file()}, {});
  if (before_ != nullptr) before_->require_same(results_.machine());
  if (device != Device::simt && !options.check) roofs_.emplace(lab::make_roof_meter(stream_));
}

void Session::begin() {
  fmt::print(out_, "rafter on {}", lab::describe_device(stream_.device()));
  if (stream_.device() == Device::simt) fmt::print(out_, ": all checkers on, no times");
  if (stream_.device() == Device::cpu) fmt::print(out_, ", {} threads", stream_.n_threads());
  fmt::print(out_, "   (seed {})\n{}", measure_.seed, only_checks() ? "\n" : "");
  if (before_ != nullptr) fmt::print(out_, "goes on with {}\n", before_->path());
  std::fflush(out_);
  if (only_checks()) return;
  neighbours_.mention();
  measure_roofs();
}

void Session::perform(const Job& job) {
  if (!reports_.empty() && reports_.back().workload != job.workload) show_checked();
  const std::size_t first = reports_.size();
  bool any_new = false;
  try {
    for (const lab::Params& params : job.cases) {
      if (take_earlier(*job.workload, params)) continue;
      reports_.push_back(only_checks() ? check(*job.workload, params) : measure(*job.workload, params));
      any_new = true;
      results_.keep(roofs(), reports_);
    }
  } catch (const std::exception&) {  // what was measured before is shown
    if (!only_checks() && any_new) show(job, std::span(reports_).subspan(first));
    throw;
  }
  if (!only_checks() && any_new) show(job, std::span(reports_).subspan(first));
}

/// A run does its cases in one order, so those of the run before are the first ones, and no write of the file in
/// between is without one of them.
bool Session::take_earlier(const lab::Workload& workload, const lab::Params& params) {
  if (before_ == nullptr) return false;
  auto earlier = before_->find(workload, params, stream_.device());
  if (!earlier) return false;
  reports_.push_back(std::move(*earlier));
  earlier_.insert(reports_.size() - 1);
  return true;
}

int Session::end() {
  if (only_checks()) {
    show_checked();
  } else if (!is_round_of_comparison()) {
    measure_roofs_again();
  }
  keep_all();
  if (!results_.to_stdout()) fmt::print(out_, "Results: {}\n", results_.path().string());
  tell_journal();
  bool wrong = false;
  for (const lab::CaseReport& report : reports_) wrong = wrong || report.any_wrong();
  if (wrong) fmt::print(stderr, "rafter: some rungs did not pass; they are named above with the reason\n");
  return wrong ? exit_no : exit_good;
}

int Session::stopped() {
  progress_.clear();
  std::fflush(out_);
  if (reports_.empty()) {
    fmt::print(stderr, "rafter: stopped by a signal before a case was finished\n");
    return exit_stopped;
  }
  show_checked();
  keep_all();
  const std::string path = results_.path().string();
  fmt::print(
      stderr, "rafter: stopped by a signal after {} of {} case{}{}\n", reports_.size(), n_cases_,
      n_cases_ == 1 ? "" : "s",
      results_.to_stdout()
          ? ""
          : fmt::format(", which are in {0}\n        'rafter run --continue {0}{1}' measures the others", path,
                        options_.load.empty() ? "" : fmt::format(" --load {}", fmt::join(options_.load, " --load "))));
  return exit_stopped;
}

void Session::keep_all() const {
  results_.finish(roofs(), reports_);
  csv_.write(lab::results_csv(reports_));
}

/// Where one rung was measured, its source belongs to the step.
void Session::tell_journal() const {
  journal::Event event = options_.event;
  if (!options_.is_told || is_round_of_comparison() || !journal::is_wanted(event)) return;
  if (!results_.to_stdout() && base::is_replaceable(results_.path())) {
    event.results_path = results_.path();
  } else {
    event.results = results_.document(roofs(), reports_).dump();
  }
  std::set<const lab::Rung*> own;
  for (const lab::CaseReport& report : reports_) {
    for (const lab::Measurement& m : report.rungs) {
      if (m.rung->kind == lab::RungKind::rung) own.insert(m.rung);
    }
  }
  if (const std::string_view text = own.size() == 1 ? lab::source_of(sources_, **own.begin()) : ""; !text.empty()) {
    const lab::Rung& rung = **own.begin();
    event.texts.push_back({fmt::format("{} on {}", reports_.front().workload->name, name(rung.device)),
                           rung.source_path, std::string(text)});
  }
  journal::record(event);
}

void Session::draw(const Plotter& plotter, const std::string& path) const {
  try {
    plotter.draw(path, results_.document(roofs(), reports_));
  } catch (const Error& error) {
    if (results_.to_stdout()) throw;
    throw Error(error.code(), fmt::format("{}; 'rafter plot {} {}' draws the results again", error.what(),
                                          results_.path().string(), path));
  }
  fmt::print(out_, "Plot:    {}\n", path);
}

void Session::measure_roofs() {
  progress_.show("measuring the roofs of this machine", 0);
  roofs_->begin();
  progress_.clear();
  const lab::Bandwidth& bandwidth = roofs_->now().bandwidth;
  const std::string roofs =
      fmt::format("roofs for {}: read {}, write {}, copy {}; fp32 {}", base::show_bytes(bandwidth.sizes().back()),
                  base::show_rate(bandwidth.largest(lab::read_traffic), "B/s"),
                  base::show_rate(bandwidth.largest(lab::write_traffic), "B/s"),
                  base::show_rate(bandwidth.largest(lab::copy_traffic), "B/s"),
                  base::show_rate(roofs_->now().operations_per_s[lab::Unit::fp32], "FLOP/s"));
  print(base::wrapped(roofs, "", "  "));
  print_news();
}

void Session::measure_roofs_again() {
  progress_.show("measuring the roofs once more", 1);
  roofs_->end();
  progress_.clear();
  print_news();
  take_last_floors();
}

/// What has changed about the roofs.
void Session::print_news() {
  const auto news = roofs_->take_messages();
  for (const std::string& sentence : news) fmt::print(out_, "{}", base::wrapped(sentence, "", "  "));
  if (!news.empty()) fmt::print(out_, "\n");
  std::fflush(out_);
}

/// All results rest on the same roofs, the last ones, but those of a run before, whose costs are not known; where a
/// table above shows another share, that is said.
void Session::take_last_floors() {
  std::string moved;
  for (std::size_t i = 0; i < reports_.size(); ++i) {
    lab::CaseReport& report = reports_[i];
    if (report.regime != lab::Regime::cold || earlier_.contains(i)) continue;
    const lab::Measurement* op = report.op();
    const double before = op != nullptr ? report.share_of_floor(*op) : 0;
    report.floor = roofs_->floor(report.cost);
    const double after = op != nullptr ? report.share_of_floor(*op) : 0;
    if (before - after < 0.01) continue;
    moved += fmt::format("{}{} {} {:.0f}% not {:.0f}%", moved.empty() ? "" : ", ", report.workload->name,
                         report.params.text(), 100 * after, 100 * before);
  }
  if (moved.empty()) return;
  print(base::wrapped("With the roofs as they are now, of the floor: " + moved, "", "  "));
}

/// The share of the cases that are done.
double Session::done(double of_this_one) const {
  return (static_cast<double>(reports_.size()) + of_this_one) / static_cast<double>(n_cases_);
}

lab::CaseReport Session::check(const lab::Workload& workload, const lab::Params& params) {
  stop_if_asked();
  progress_.show(workload.name + " " + params.text(), done());
  return lab::verify_case(workload, params, stream_, measure_.seed, measure_.only);
}

lab::CaseReport Session::measure(const lab::Workload& workload, const lab::Params& params) {
  const auto report_progress = [&](const std::string& what, double part) {
    stop_if_asked();
    progress_.show(what, done(part));
  };
  lab::CaseReport report = measure_case(workload, params, stream_, *roofs_, measure_, report_progress);
  if (const std::string news = neighbours_.news(); !news.empty()) {
    progress_.clear();
    fmt::print(stderr, "{}", news);
  }
  return report;
}

/// The table of a job.
void Session::show(const Job& job, std::span<const lab::CaseReport> reports) {
  progress_.clear();
  print_news();
  const auto style = out_ == stdout ? base::output_style() : base::Style::plain;
  std::string text = job.swept != nullptr ? sweep_table(*job.swept, reports, roofs_->now(), style)
                                          : ladder_table(reports.front(), roofs_->now(), style);
  for (const lab::CaseReport& report : reports) text += stage_tables(report, job.swept, style);
  print(text);
}

/// What was found in a workload's cases, all together.
void Session::show_checked() {
  if (!only_checks()) return;
  progress_.clear();
  print(lab::checked_table(std::span(reports_).subspan(n_shown_)));
  n_shown_ = reports_.size();
}

void Session::print(const std::string& text) {
  fmt::print(out_, "{}\n", text);
  std::fflush(out_);
}

}  // namespace rafter::cli
