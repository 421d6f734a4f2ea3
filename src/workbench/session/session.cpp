#include "workbench/session/session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/exit_code.hpp"
#include "base/files.hpp"
#include "base/stop_signals.hpp"
#include "base/units.hpp"
#include "workbench/journal/record.hpp"
#include "workbench/lab/data/generate.hpp"
#include "workbench/lab/machine/device_choice.hpp"
#include "workbench/lab/machine/machine.hpp"
#include "workbench/lab/report/checked_table.hpp"
#include "workbench/lab/report/results.hpp"
#include "workbench/lab/report/stage_table.hpp"
#include "workbench/lab/report/table.hpp"

namespace rafter::session {

namespace {

/// The parameter that all jobs sweep, or null.
const lab::Parameter* swept_by(const std::vector<Job>& jobs) { return jobs.empty() ? nullptr : jobs.front().swept; }

lab::ResultsFile results_file(const RunPlan& plan, const RunOutputs& outputs, const Stream& stream) {
  const nlohmann::json run = to_json(plan.request, plan.device, plan.measure.seed, stream.n_threads(), plan.n_cases());
  return {outputs.json_path, plan.device, stream.n_threads(), swept_by(plan.jobs), &run};
}

void stop_if_asked() {
  if (base::StopSignals::arrived()) throw Stopped();
}

}  // namespace

bool is_round_of_comparison() { return std::getenv("RAFTER_ROUND_OF_COMPARISON") != nullptr; }

Session::Session(const RunPlan& plan, const RunOutputs& outputs, const Sources& sources, const EarlierRun* before)
    : plan_(plan),
      outputs_(outputs),
      sources_(sources),
      before_(before),
      concurrent_runs_(fmt::format("run {}{}on {}", fmt::join(plan.request.workloads, " "),
                                   plan.request.workloads.empty() ? "" : " ", name(plan.device))),
      stream_(lab::make_stream(plan.device, plan.request.n_threads)),
      results_(results_file(plan, outputs, stream_)),
      csv_(outputs.csv_path),
      out_(results_.to_stdout() || csv_.is_stdout() ? stderr : stdout) {
  if (results_.to_stdout() && csv_.is_stdout())
    throw Error(ErrorCode::bad_argument, "--json and --csv cannot both have the standard output");
  base::require_outputs({csv_.file()}, {});
  results_.name_sources(outputs.event.sources);
  if (before_ != nullptr) before_->require_same(results_.machine());
  if (!plan.only_checks()) roofs_.emplace(lab::make_roof_meter(stream_));
}

void Session::begin() {
  fmt::print(out_, "rafter on {}", lab::describe_device(stream_.device()));
  if (stream_.device() == Device::simt) fmt::print(out_, ": all checkers on, no times");
  if (stream_.device() == Device::cpu) fmt::print(out_, ", {} threads", stream_.n_threads());
  fmt::print(out_, "   (seed {})\n{}", plan_.measure.seed, only_checks() ? "\n" : "");
  if (before_ != nullptr) fmt::print(out_, "resumes {}\n", before_->path());
  std::fflush(out_);
  if (only_checks()) return;
  concurrent_runs_.report();
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
  } catch (const std::exception&) {  // show what was measured before the exception
    if (!only_checks() && any_new) show(job, std::span(reports_).subspan(first));
    throw;
  }
  if (!only_checks() && any_new) show(job, std::span(reports_).subspan(first));
}

/// Cases always run in the same order, so the cases of the earlier run come first, and every version of the file
/// contains all of them.
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
  keep_all(/*is_finished=*/true);
  if (!results_.to_stdout()) fmt::print(out_, "Results: {}\n", results_.path().string());
  write_journal();
  bool wrong = false;
  for (const lab::CaseReport& report : reports_) wrong = wrong || report.any_wrong();
  if (wrong) fmt::print(stderr, "rafter: some rungs did not pass; they are named above with the reason\n");
  return wrong ? base::exit_no : base::exit_good;
}

int Session::stopped() {
  progress_.clear();
  std::fflush(out_);
  if (reports_.empty()) {
    fmt::print(stderr, "rafter: stopped by a signal before a case was finished\n");
    return base::exit_stopped;
  }
  show_checked();
  keep_all(/*is_finished=*/false);
  const std::string path = results_.path().string();
  fmt::print(
      stderr, "rafter: stopped by a signal after {} of {} case{}{}\n", reports_.size(), plan_.n_cases(),
      plan_.n_cases() == 1 ? "" : "s",
      results_.to_stdout()
          ? ""
          : fmt::format(", which are in {0}\n        'rafter run --continue {0}{1}' measures the rest", path,
                        outputs_.load.empty() ? "" : fmt::format(" --load {}", fmt::join(outputs_.load, " --load "))));
  return base::exit_stopped;
}

void Session::keep_all(bool is_finished) const {
  nlohmann::json document = results_.document(roofs(), reports_);
  if (is_finished && outputs_.complete) outputs_.complete(document);
  results_.finish(document);
  csv_.write(lab::results_csv(reports_));
}

/// Adds the source of the rung if a single rung was measured.
void Session::write_journal() const {
  journal::Event event = outputs_.event;
  if (!outputs_.writes_journal || is_round_of_comparison() || !journal::is_wanted(event)) return;
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
    throw Error(error.code(),
                fmt::format("{}; 'rafter plot {} {}' draws the results", error.what(), results_.path().string(), path));
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

/// Prints how the roofs changed.
void Session::print_news() {
  const auto news = roofs_->take_messages();
  for (const std::string& sentence : news) fmt::print(out_, "{}", base::wrapped(sentence, "", "  "));
  if (!news.empty()) fmt::print(out_, "\n");
  std::fflush(out_);
}

/// Recomputes the floors of all results from the final roofs and reports shares that differ from the tables above.
/// Results of an earlier run keep their floors: their costs are unknown.
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
  print(base::wrapped("With the final roofs, share of the floor: " + moved, "", "  "));
}

/// The share of the cases that are finished.
double Session::done(double of_this_one) const {
  return (static_cast<double>(reports_.size()) + of_this_one) / static_cast<double>(plan_.n_cases());
}

lab::CaseReport Session::check(const lab::Workload& workload, const lab::Params& params) {
  progress_.show(workload.name + " " + params.text(), done());
  return lab::verify_case(workload, params, stream_, plan_.measure.seed, plan_.measure.only, stop_if_asked);
}

lab::CaseReport Session::measure(const lab::Workload& workload, const lab::Params& params) {
  const auto report_progress = [&](const std::string& what, double part) {
    stop_if_asked();
    progress_.show(what, done(part));
  };
  lab::CaseReport report = measure_case(workload, params, stream_, *roofs_, plan_.measure, report_progress);
  if (const std::string news = concurrent_runs_.news(); !news.empty()) {
    progress_.clear();
    fmt::print(stderr, "{}", news);
  }
  return report;
}

/// Prints the table of a job.
void Session::show(const Job& job, std::span<const lab::CaseReport> reports) {
  progress_.clear();
  print_news();
  const auto style = out_ == stdout ? base::output_style() : base::Style::plain;
  std::string text = job.swept != nullptr ? sweep_table(*job.swept, reports, roofs_->now(), style)
                                          : ladder_table(reports.front(), roofs_->now(), style);
  for (const lab::CaseReport& report : reports) text += stage_tables(report, job.swept, style);
  print(text);
}

/// Prints what was found in all cases of a workload.
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

}  // namespace rafter::session
