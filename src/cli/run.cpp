// rafter run: one loop over cases, timed against the roofs, or on the executor held against its checkers.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "base/terminal.hpp"
#include "base/units.hpp"
#include "cli/bench.hpp"
#include "cli/cases.hpp"
#include "cli/streams.hpp"
#include "lab/data/generate.hpp"
#include "lab/machine/machine.hpp"
#include "lab/measure/measure.hpp"
#include "lab/report/checked_table.hpp"
#include "lab/report/results_file.hpp"
#include "lab/report/table.hpp"
#include "lab/roofs/run_roofs.hpp"
#include "lab/workload/registry.hpp"

namespace rafter::cli {

namespace {

lab::Regime regime_called(const std::string& wanted) {
  for (const auto regime : {lab::Regime::cold, lab::Regime::warm, lab::Regime::graph, lab::Regime::wall}) {
    if (name(regime) == wanted) return regime;
  }
  throw Error(ErrorCode::bad_argument, fmt::format("unknown regime '{}'", wanted));
}

/// One case to measure or, on the executor, to check.
struct Job {
  const lab::Workload* workload;
  lab::Params params;
};

/// The cases asked for; otherwise the usual ones, or those that the executor runs in a moment.
std::vector<lab::Params> cases_for(const lab::Workload& workload, Device device, const RunOptions& options) {
  const bool asked = !options.size.empty() || !options.settings.empty();
  if (device == Device::simt && !asked) {
    constexpr std::size_t n_quick = 12;
    std::vector<lab::Params> cases = lab::executor_cases(workload);
    if (options.quick) cases.resize(std::min(cases.size(), n_quick));
    return cases;
  }
  const auto effort = options.quick || device == Device::simt ? lab::Effort::quick : lab::Effort::normal;
  return cases_of(workload, device, effort, options.size, options.settings);
}

std::vector<Job> jobs_of(const RunOptions& options, const Workloads& workloads, Device device) {
  std::vector<const lab::Workload*> chosen;
  for (const std::string& wanted : options.workloads) {
    const lab::Workload* workload = &lab::workload_called(workloads, wanted);
    if (std::find(chosen.begin(), chosen.end(), workload) == chosen.end()) chosen.push_back(workload);
  }
  if (chosen.empty()) {
    if (!options.size.empty() || !options.settings.empty() || !options.rungs.empty()) {
      throw Error(ErrorCode::bad_argument, "--size, --set and --rungs need a workload: rafter run WORKLOAD ...");
    }
    chosen = workloads;
  }
  std::vector<Job> jobs;
  for (const lab::Workload* workload : chosen) {
    rungs_on(*workload, device, options.rungs);  // complains about unknown names before anything is measured
    for (lab::Params& params : cases_for(*workload, device, options)) jobs.push_back({workload, std::move(params)});
  }
  return jobs;
}

/// Seconds of timing for each rung: everything there is, together, should take about a minute.
double timing_cap_s(const RunOptions& options, const std::vector<Job>& jobs, Device device) {
  constexpr double all_s = 20;
  const double one_s = lab::RoundsOptions{}.cap_s;
  if (options.quick) return 0.3;
  if (!options.workloads.empty()) return one_s;
  std::size_t n_rungs = 0;
  for (const Job& job : jobs) n_rungs += rungs_on(*job.workload, device).size();
  return std::clamp(all_s / static_cast<double>(std::max(n_rungs, std::size_t{1})), 0.1, one_s);
}

/// Does the jobs, keeping the results file complete after each.
class Session {
 public:
  Session(const RunOptions& options, Device device, double cap_s)
      : stream_(stream_on(device, options.n_threads)),
        results_(options.json_path, device, stream_.n_threads()),
        out_(results_.to_stdout() ? stderr : stdout) {
    if (device != Device::simt) roofs_.emplace(lab::make_roof_meter(stream_));
    measure_.seed =
        options.seed.empty() ? lab::fresh_seed() : static_cast<std::uint64_t>(lab::parse_integer(options.seed));
    measure_.rounds.regime = regime_called(options.regime);
    measure_.all_regimes = options.all_regimes;
    measure_.only = options.rungs;
    measure_.rounds.cap_s = cap_s;
  }

  void begin() {
    fmt::print(out_, "rafter on {}", lab::describe_device(stream_.device()));
    if (only_checks()) fmt::print(out_, ": all checkers on, no times");
    if (stream_.device() == Device::cpu) fmt::print(out_, ", {} threads", stream_.n_threads());
    fmt::print(out_, "   (seed {})\n{}", measure_.seed, only_checks() ? "\n" : "");
    std::fflush(out_);
    if (!only_checks()) measure_roofs();
  }

  void perform(const Job& job, double done, double share) {
    if (!reports_.empty() && reports_.back().workload != job.workload) show_checked();
    reports_.push_back(only_checks() ? check(job, done) : measure(job, done, share));
    progress_.clear();
    if (!only_checks()) {
      print_news();
      print(ladder_table(reports_.back(), roofs_->now(), out_ == stdout ? base::output_style() : base::Style::plain));
    }
    results_.keep(roofs(), reports_);
  }

  int end() {
    only_checks() ? show_checked() : measure_roofs_again();
    results_.finish(roofs(), reports_);
    if (!results_.to_stdout()) fmt::print("Results: {}\n", results_.path().string());
    bool wrong = false;
    for (const lab::CaseReport& report : reports_) wrong = wrong || report.any_wrong();
    if (wrong) fmt::print(stderr, "rafter: some rungs did not pass; they are named above with the reason\n");
    return wrong ? exit_no : exit_good;
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
    print(fmt::format("roofs for {}: read {}, write {}, copy {}; fp32 {}\n", base::show_bytes(bandwidth.sizes().back()),
                      base::show_rate(bandwidth.largest(lab::read_traffic), "B/s"),
                      base::show_rate(bandwidth.largest(lab::write_traffic), "B/s"),
                      base::show_rate(bandwidth.largest(lab::copy_traffic), "B/s"),
                      base::show_rate(roofs_->now().operations_per_s[lab::Unit::fp32], "FLOP/s")));
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

  lab::CaseReport check(const Job& job, double done) {
    progress_.show(job.workload->name + " " + job.params.text(), done);
    return lab::verify_case(*job.workload, job.params, stream_, measure_.seed, measure_.only);
  }

  lab::CaseReport measure(const Job& job, double done, double share) {
    const auto report_progress = [&](const std::string& what, double part) {
      progress_.show(what, done + share * part);
    };
    return measure_case(*job.workload, job.params, stream_, *roofs_, measure_, report_progress);
  }

  /// What was found in a workload's cases, all together.
  void show_checked() {
    if (!only_checks()) return;
    print(lab::checked_table(std::span(reports_).subspan(n_shown_)));
    n_shown_ = reports_.size();
  }

  void print(const std::string& text) {
    fmt::print(out_, "{}\n", text);
    std::fflush(out_);
  }

  Stream stream_;
  std::optional<lab::RunRoofs> roofs_;
  lab::ResultsFile results_;
  std::FILE* out_;
  lab::MeasureOptions measure_;
  std::vector<lab::CaseReport> reports_;
  std::size_t n_shown_ = 0;  // of the reports, in tables over several
  base::ProgressLine progress_;
};

}  // namespace

int run(const RunOptions& options, const Workloads& workloads) {
  const Device device = device_wanted(options.device, {"cpu", "cuda", "simt"});
  const auto jobs = jobs_of(options, workloads, device);
  Session session(options, device, timing_cap_s(options, jobs, device));
  session.begin();
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const double share = 1. / static_cast<double>(jobs.size());
    session.perform(jobs[i], static_cast<double>(i) * share, share);
  }
  const int code = session.end();
  if (options.workloads.empty() && code == exit_good && options.json_path.empty()) {
    const std::string& first = jobs.front().workload->name;
    fmt::print(
        "Next:    rafter show {0}   (the ideas behind the rungs)   rafter run {0} --help   (sizes, rungs, JSON)\n",
        first);
  }
  return code;
}

}  // namespace rafter::cli
