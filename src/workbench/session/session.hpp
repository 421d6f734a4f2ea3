// The loop over the cases of a run: times them, or verifies them on the executor. The results file is complete after
// each case.
#pragma once

#include <cstdio>
#include <exception>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/concurrent_runs.hpp"
#include "base/outputs.hpp"
#include "base/terminal.hpp"
#include "workbench/lab/measure/measure.hpp"
#include "workbench/lab/report/results_file.hpp"
#include "workbench/lab/roofs/run_roofs.hpp"
#include "workbench/session/earlier_run.hpp"
#include "workbench/session/run.hpp"

namespace rafter::session {

/// Thrown when a signal ends the run. Finished cases are kept.
struct Stopped : std::exception {
  const char* what() const noexcept override { return "stopped by a signal"; }
};

/// Whether this run is one of the many short ones that 'rafter compare --builds' starts. Its final roofs are not used.
bool is_round_of_comparison();

class Session {
 public:
  /// `before`: the run that this one resumes, or null. All arguments must outlive the session.
  Session(const RunPlan& plan, const RunOutputs& outputs, const Sources& sources, const EarlierRun* before);

  void begin();
  /// Throws Stopped.
  void perform(const Job& job);
  /// Ends a complete run and returns the exit code.
  int end();
  /// Ends a run that a signal interrupted and returns the exit code.
  int stopped();
  /// Draws the results of a run that has ended.
  void draw(const Plotter& plotter, const std::string& path) const;

 private:
  /// Roofs exist only in a run that takes times.
  bool only_checks() const { return !roofs_; }
  const lab::RunRoofs* roofs() const { return roofs_ ? &*roofs_ : nullptr; }

  void measure_roofs();
  void measure_roofs_again();
  void print_news();
  void take_last_floors();
  double done(double of_this_one = 0) const;
  bool take_earlier(const lab::Workload& workload, const lab::Params& params);
  lab::CaseReport check(const lab::Workload& workload, const lab::Params& params);
  lab::CaseReport measure(const lab::Workload& workload, const lab::Params& params);
  void show(const Job& job, std::span<const lab::CaseReport> reports);
  void show_checked();
  void print(const std::string& text);
  void keep_all(bool is_finished) const;
  void write_journal() const;

  const RunPlan& plan_;
  const RunOutputs& outputs_;
  const Sources& sources_;
  const EarlierRun* before_;
  base::ConcurrentRuns concurrent_runs_;
  Stream stream_;
  std::optional<lab::RunRoofs> roofs_;
  lab::ResultsFile results_;
  base::OutputFile csv_;
  std::FILE* out_;
  std::vector<lab::CaseReport> reports_;
  std::set<std::size_t> earlier_;  // indices of the reports of the earlier run
  std::size_t n_shown_ = 0;        // reports that checked tables have shown
  base::ProgressLine progress_;
};

}  // namespace rafter::session
