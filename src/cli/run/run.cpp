// rafter run: one loop over cases, timed against the roofs, or on the executor held against its checkers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "base/terminal.hpp"
#include "base/units.hpp"
#include "cli/neighbours.hpp"
#include "cli/outputs.hpp"
#include "cli/run/cases.hpp"
#include "cli/run/commands.hpp"
#include "cli/stop_signals.hpp"
#include "cli/streams.hpp"
#include "lab/data/generate.hpp"
#include "lab/machine/machine.hpp"
#include "lab/measure/measure.hpp"
#include "lab/report/checked_table.hpp"
#include "lab/report/csv.hpp"
#include "lab/report/results_file.hpp"
#include "lab/report/stage_table.hpp"
#include "lab/report/table.hpp"
#include "lab/roofs/run_roofs.hpp"

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
  if (options.quick || is_round_of_comparison()) return 0.3;
  if (!options.workloads.empty()) return one_s;
  std::size_t n_rungs = 0;
  for (const Job& job : jobs) n_rungs += job.cases.size() * rungs_on(*job.workload, device).size();
  return std::clamp(all_s / static_cast<double>(std::max(n_rungs, std::size_t{1})), 0.1, one_s);
}

/// The parameter given as a list, if one is: the same for all jobs.
const lab::Parameter* swept_by(const std::vector<Job>& jobs) { return jobs.empty() ? nullptr : jobs.front().swept; }

/// Throws Error, before anything is measured, where there will be nothing to draw, or no way to.
void require_plot(const RunOptions& options, Device device, const Plotter* plotter) {
  if (options.plot_path.empty()) return;
  if (device == Device::simt) throw Error(ErrorCode::bad_argument, "--plot draws times, and the executor has none");
  if (plotter == nullptr) throw Error(ErrorCode::unsupported, "this program does not draw");
  plotter->require(options.plot_path);
}

/// A signal asked for the end; what is finished is kept.
struct Stopped : std::exception {
  const char* what() const noexcept override { return "stopped by a signal"; }
};

/// Does the jobs, keeping the results file complete after each case.
class Session {
 public:
  Session(const RunOptions& options, Device device, const std::vector<Job>& jobs)
      : neighbours_(fmt::format("run {}{}on {}", fmt::join(options.workloads, " "),
                                options.workloads.empty() ? "" : " ", name(device))),
        stream_(stream_on(device, options.n_threads)),
        results_(options.json_path, device, stream_.n_threads(), swept_by(jobs)),
        csv_(options.csv_path),
        out_(results_.to_stdout() || csv_.is_stdout() ? stderr : stdout) {
    if (results_.to_stdout() && csv_.is_stdout())
      throw Error(ErrorCode::bad_argument, "--json and --csv cannot both have the standard output");
    require_outputs({csv_.file()}, {});
    if (device != Device::simt) roofs_.emplace(lab::make_roof_meter(stream_));
    measure_.seed =
        options.seed.empty() ? lab::fresh_seed() : static_cast<std::uint64_t>(lab::parse_integer(options.seed));
    measure_.rounds.regime = regime_called(options.regime);
    measure_.all_regimes = options.all_regimes;
    measure_.stages = options.stages;
    measure_.only = options.rungs;
    measure_.rounds.cap_s = timing_cap_s(options, jobs, device);
    for (const Job& job : jobs) n_cases_ += job.cases.size();
  }

  void begin() {
    fmt::print(out_, "rafter on {}", lab::describe_device(stream_.device()));
    if (only_checks()) fmt::print(out_, ": all checkers on, no times");
    if (stream_.device() == Device::cpu) fmt::print(out_, ", {} threads", stream_.n_threads());
    fmt::print(out_, "   (seed {})\n{}", measure_.seed, only_checks() ? "\n" : "");
    std::fflush(out_);
    if (only_checks()) return;
    neighbours_.mention();
    measure_roofs();
  }

  void perform(const Job& job) {
    if (!reports_.empty() && reports_.back().workload != job.workload) show_checked();
    const std::size_t first = reports_.size();
    try {
      for (const lab::Params& params : job.cases) {
        reports_.push_back(only_checks() ? check(*job.workload, params) : measure(*job.workload, params));
        results_.keep(roofs(), reports_);
      }
    } catch (const std::exception&) {  // what was measured before is shown
      if (!only_checks() && reports_.size() > first) show(job, std::span(reports_).subspan(first));
      throw;
    }
    if (!only_checks()) show(job, std::span(reports_).subspan(first));
  }

  int end() {
    if (only_checks()) {
      show_checked();
    } else if (!is_round_of_comparison()) {
      measure_roofs_again();
    }
    results_.finish(roofs(), reports_);
    csv_.write(lab::results_csv(reports_));
    if (!results_.to_stdout()) fmt::print(out_, "Results: {}\n", results_.path().string());
    bool wrong = false;
    for (const lab::CaseReport& report : reports_) wrong = wrong || report.any_wrong();
    if (wrong) fmt::print(stderr, "rafter: some rungs did not pass; they are named above with the reason\n");
    return wrong ? exit_no : exit_good;
  }

  /// The end before the end.
  int stopped() {
    progress_.clear();
    std::fflush(out_);
    if (reports_.empty()) {
      fmt::print(stderr, "rafter: stopped by a signal before a case was finished\n");
      return exit_stopped;
    }
    show_checked();
    results_.finish(roofs(), reports_);
    csv_.write(lab::results_csv(reports_));
    fmt::print(stderr, "rafter: stopped by a signal after {} of {} case{}{}\n", reports_.size(), n_cases_,
               n_cases_ == 1 ? "" : "s",
               results_.to_stdout() ? "" : fmt::format(", which are in {}", results_.path().string()));
    return exit_stopped;
  }

  /// After the end: whatever becomes of the plot, the results are kept.
  void draw(const Plotter& plotter, const std::string& path) const {
    try {
      plotter.draw(path, results_.document(roofs(), reports_));
    } catch (const Error& error) {
      if (results_.to_stdout()) throw;
      throw Error(error.code(), fmt::format("{}; 'rafter plot {} {}' draws the results again", error.what(),
                                            results_.path().string(), path));
    }
    fmt::print(out_, "Plot:    {}\n", path);
  }

 private:
  /// The executor's times mean nothing, so it has no roofs.
  bool only_checks() const { return !roofs_; }
  const lab::RunRoofs* roofs() const { return roofs_ ? &*roofs_ : nullptr; }

  void measure_roofs() {
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

  void measure_roofs_again() {
    progress_.show("measuring the roofs once more", 1);
    roofs_->end();
    progress_.clear();
    print_news();
    take_last_floors();
  }

  /// What has changed about the roofs.
  void print_news() {
    const auto news = roofs_->take_news();
    for (const std::string& sentence : news) fmt::print(out_, "{}", base::wrapped(sentence, "", "  "));
    if (!news.empty()) fmt::print(out_, "\n");
    std::fflush(out_);
  }

  /// All results rest on the same roofs, the last ones; where a table above shows another share, that is said.
  void take_last_floors() {
    std::string moved;
    for (lab::CaseReport& report : reports_) {
      if (report.regime != lab::Regime::cold) continue;
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
  double done(double of_this_one = 0) const {
    return (static_cast<double>(reports_.size()) + of_this_one) / static_cast<double>(n_cases_);
  }

  static void stop_if_asked() {
    if (StopSignals::arrived()) throw Stopped();
  }

  lab::CaseReport check(const lab::Workload& workload, const lab::Params& params) {
    stop_if_asked();
    progress_.show(workload.name + " " + params.text(), done());
    return lab::verify_case(workload, params, stream_, measure_.seed, measure_.only);
  }

  lab::CaseReport measure(const lab::Workload& workload, const lab::Params& params) {
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
  void show(const Job& job, std::span<const lab::CaseReport> reports) {
    progress_.clear();
    print_news();
    const auto style = out_ == stdout ? base::output_style() : base::Style::plain;
    std::string text = job.swept != nullptr ? sweep_table(*job.swept, reports, roofs_->now(), style)
                                            : ladder_table(reports.front(), roofs_->now(), style);
    for (const lab::CaseReport& report : reports) text += stage_tables(report, job.swept, style);
    print(text);
  }

  /// What was found in a workload's cases, all together.
  void show_checked() {
    if (!only_checks()) return;
    progress_.clear();
    print(lab::checked_table(std::span(reports_).subspan(n_shown_)));
    n_shown_ = reports_.size();
  }

  void print(const std::string& text) {
    fmt::print(out_, "{}\n", text);
    std::fflush(out_);
  }

  Neighbours neighbours_;
  Stream stream_;
  std::optional<lab::RunRoofs> roofs_;
  lab::ResultsFile results_;
  OutcomeFile csv_;
  std::FILE* out_;
  lab::MeasureOptions measure_;
  std::vector<lab::CaseReport> reports_;
  std::size_t n_cases_ = 0;
  std::size_t n_shown_ = 0;  // of the reports, in tables over several
  base::ProgressLine progress_;
};

}  // namespace

int run(const RunOptions& options, const Workloads& workloads, const Plotter* plotter) {
  const Device device = device_wanted(options.device, {"cpu", "cuda", "simt"});
  const auto jobs = jobs_of(options, workloads, device);
  require_plot(options, device, plotter);
  if (options.stages && device == Device::simt)
    throw Error(ErrorCode::bad_argument, "--stages shows times, and the executor has none");
  const StopSignals signals;
  Session session(options, device, jobs);
  int code = exit_good;
  try {
    session.begin();
    for (const Job& job : jobs) session.perform(job);
    code = session.end();
  } catch (const Stopped&) {
    return session.stopped();
  }
  if (!options.plot_path.empty()) session.draw(*plotter, options.plot_path);
  if (options.workloads.empty() && code == exit_good && options.json_path.empty() && options.csv_path.empty()) {
    const std::string& first = jobs.front().workload->name;
    fmt::print(
        "Next:    rafter show {0}   (the ideas behind the rungs)   rafter run {0} --help   (sizes, rungs, JSON)\n",
        first);
  }
  return code;
}

}  // namespace rafter::cli
