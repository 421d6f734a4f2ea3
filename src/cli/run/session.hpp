// A run: one loop over cases, timed against the roofs, or on the executor held against its checkers. The results file
// is complete after each case.
#pragma once

#include <exception>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/terminal.hpp"
#include "cli/neighbours.hpp"
#include "cli/outputs.hpp"
#include "cli/run/cases.hpp"
#include "cli/run/commands.hpp"
#include "cli/run/continued.hpp"
#include "workbench/lab/measure/measure.hpp"
#include "workbench/lab/report/results_file.hpp"
#include "workbench/lab/roofs/run_roofs.hpp"

namespace rafter::cli {

/// A signal asked for the end; what is finished is kept.
struct Stopped : std::exception {
  const char* what() const noexcept override { return "stopped by a signal"; }
};

class Session {
 public:
  /// `before`: the run that this one continues, or null.
  Session(const RunOptions& options, Device device, const std::vector<Job>& jobs, const EarlierRun* before);

  /// Where one rung is measured, a journal is told its source.
  void shows_sources(const Sources& sources) { sources_ = sources; }

  void begin();
  /// Throws Stopped.
  void perform(const Job& job);
  /// The exit code.
  int end();
  /// The end before the end: an exit code, too.
  int stopped();
  /// After the end: whatever becomes of the plot, the results are kept.
  void draw(const Plotter& plotter, const std::string& path) const;

 private:
  /// The executor's times mean nothing, and with --check nobody asks for any: then there are no roofs.
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
  void keep_all() const;
  void tell_journal() const;

  const RunOptions& options_;
  const EarlierRun* before_;
  Sources sources_{};
  Neighbours neighbours_;
  Stream stream_;
  lab::MeasureOptions measure_;
  std::size_t n_cases_ = 0;
  std::optional<lab::RunRoofs> roofs_;
  lab::ResultsFile results_;
  OutcomeFile csv_;
  std::FILE* out_;
  std::vector<lab::CaseReport> reports_;
  std::set<std::size_t> earlier_;  // places of those that the run before measured
  std::size_t n_shown_ = 0;        // of the reports, in tables over several
  base::ProgressLine progress_;
};

}  // namespace rafter::cli
