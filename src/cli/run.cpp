#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/terminal.hpp"
#include "base/units.hpp"
#include "cli/cases.hpp"
#include "cli/run_simt.hpp"
#include "cli/streams.hpp"
#include "cli/subcommands.hpp"
#include "lab/cases/generate.hpp"
#include "lab/measure/measure.hpp"
#include "lab/report/machine.hpp"
#include "lab/report/results.hpp"
#include "lab/report/table.hpp"
#include "lab/workload/registry.hpp"
#include "rafter/error.hpp"

namespace rafter::cli {

namespace {

namespace fs = std::filesystem;

lab::Regime regime_called(const std::string& wanted) {
  for (const auto regime : {lab::Regime::cold, lab::Regime::warm, lab::Regime::graph, lab::Regime::wall}) {
    if (name(regime) == wanted) return regime;
  }
  throw Error(ErrorCode::bad_argument, fmt::format("unknown regime '{}'", wanted));
}

fs::path new_results_path(Device device) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  localtime_r(&now, &parts);
  char stamp[32];
  std::strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &parts);
  return base::results_folder() / fmt::format("{}-{}-{}.json", stamp, name(device), getpid());
}

/// One case to measure.
struct Job {
  const lab::Workload* workload;
  lab::Params params;
};

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
  const auto effort = options.quick ? lab::Effort::quick : lab::Effort::normal;
  std::vector<Job> jobs;
  for (const lab::Workload* workload : chosen) {
    rungs_on(*workload, device, options.rungs);  // complains about unknown names before anything is measured
    for (auto& params : cases_of(*workload, device, effort, options.size, options.settings)) {
      jobs.push_back({workload, std::move(params)});
    }
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

/// Measures the jobs, keeping the results file complete after each.
class Session {
 public:
  Session(const RunOptions& options, Device device, double cap_s)
      : options_(options),
        stream_(stream_on(device, options.n_threads)),
        roofs_(lab::make_roof_meter(stream_)),
        path_(options.json_path.empty() ? new_results_path(device) : fs::path(options.json_path)),
        out_(to_stdout() ? stderr : stdout) {
    if (!to_stdout()) require_writable();
    measure_.seed =
        options.seed.empty() ? lab::fresh_seed() : static_cast<std::uint64_t>(lab::parse_integer(options.seed));
    measure_.rounds.regime = regime_called(options.regime);
    measure_.all_regimes = options.all_regimes;
    measure_.only = options.rungs;
    measure_.rounds.cap_s = cap_s;
  }

  void begin() {
    fmt::print(out_, "rafter on {}", lab::describe_device(stream_.device()));
    if (stream_.device() == Device::cpu) fmt::print(out_, ", {} threads", stream_.n_threads());
    fmt::print(out_, "   (seed {})\n", measure_.seed);
    std::fflush(out_);
    progress_.show("measuring the roofs of this machine", 0);
    roofs_.begin();
    progress_.clear();
    const lab::Bandwidth& bandwidth = roofs_.now().bandwidth;
    fmt::print(out_, "roofs for {}: read {}, write {}, copy {}; fp32 {}\n\n",
               base::show_bytes(bandwidth.sizes().back()), base::show_rate(bandwidth.largest(lab::read_traffic), "B/s"),
               base::show_rate(bandwidth.largest(lab::write_traffic), "B/s"),
               base::show_rate(bandwidth.largest(lab::copy_traffic), "B/s"),
               base::show_rate(roofs_.now().operations_per_s[lab::Unit::fp32], "FLOP/s"));
    print_news();
    machine_ = lab::fingerprint(stream_.device(), stream_.n_threads());
  }

  void measure(const Job& job, double done, double share) {
    const auto report_progress = [&](const std::string& what, double part) {
      progress_.show(what, done + share * part);
    };
    auto report = measure_case(*job.workload, job.params, stream_, roofs_, measure_, report_progress);
    progress_.clear();
    print_news();
    const auto style = out_ == stdout ? base::output_style() : base::Style::plain;
    fmt::print(out_, "{}\n", ladder_table(report, roofs_.now(), style));
    std::fflush(out_);
    reports_.push_back(std::move(report));
    if (!to_stdout() && base::is_replaceable(path_)) base::write_file(path_, text());  // a killed run leaves this much
  }

  int end() {
    progress_.show("measuring the roofs once more", 1);
    roofs_.end();
    progress_.clear();
    print_news();
    take_last_floors();
    if (to_stdout()) {
      fmt::print("{}", text());
    } else {
      if (!base::is_replaceable(path_)) base::write_file(path_, text());
      fmt::print("Results: {}\n", path_.string());
    }
    bool wrong = false;
    for (const lab::CaseReport& report : reports_) wrong = wrong || report.any_wrong();
    if (wrong) fmt::print(stderr, "rafter: some rungs did not pass; they are named above with the reason\n");
    return wrong ? exit_no : exit_good;
  }

 private:
  /// What has changed about the roofs.
  void print_news() {
    const auto news = roofs_.take_news();
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
      report.floor = roofs_.floor(report.cost);
      const double after = op != nullptr ? report.share_of_floor(*op) : 0;
      if (before - after < 0.01) continue;
      moved += fmt::format("{}{} {} {:.0f}% not {:.0f}%", moved.empty() ? "" : ", ", report.workload->name,
                           report.params.text(), 100 * after, 100 * before);
    }
    if (moved.empty()) return;
    fmt::print(out_, "{}\n", base::wrapped("With the roofs as they are now, of the floor: " + moved, "", "  "));
  }

  bool to_stdout() const { return options_.json_path == "-" || options_.json_path == "/dev/stdout"; }

  void require_writable() const {
    try {
      base::require_writable(path_);
    } catch (const Error& error) {
      if (!options_.json_path.empty()) throw;
      throw Error(ErrorCode::io, fmt::format("{}; name another file with --json FILE", error.what()));
    }
  }
  std::string text() const { return lab::results_json(machine_, to_json(roofs_), reports_).dump(1) + "\n"; }

  const RunOptions& options_;
  Stream stream_;
  lab::RunRoofs roofs_;
  fs::path path_;
  std::FILE* out_;
  lab::MeasureOptions measure_;
  nlohmann::json machine_;
  std::vector<lab::CaseReport> reports_;
  base::ProgressLine progress_;
};

}  // namespace

int run(const RunOptions& options, const Workloads& workloads) {
  const Device device = device_wanted(options.device, {"cpu", "cuda", "simt"});
  if (device == Device::simt) return run_simt(options, workloads);
  const auto jobs = jobs_of(options, workloads, device);
  Session session(options, device, timing_cap_s(options, jobs, device));
  session.begin();
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const double share = 1. / static_cast<double>(jobs.size());
    session.measure(jobs[i], static_cast<double>(i) * share, share);
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
