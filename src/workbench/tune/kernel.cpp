#include "workbench/tune/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <future>
#include <sstream>
#include <thread>

#include "base/exit_code.hpp"
#include "base/files.hpp"
#include "base/terminal.hpp"
#include "rafter/error.hpp"
#include "workbench/bench/bench.hpp"
#include "workbench/bench/proof.hpp"
#include "workbench/bench/verify.hpp"
#include "workbench/bench/watch.hpp"
#include "workbench/lab/report/results_file.hpp"
#include "workbench/tune/worth.hpp"

namespace rafter::tune {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

struct BuiltPoint {
  fs::path library{};
  std::string error{};
};

/// Compiles all points, as many at a time as there are cores.
std::vector<BuiltPoint> build_all(const KernelTuningPlan& plan, const std::vector<Point>& points,
                                  const fs::path& scratch) {
  base::ProgressLine progress;
  std::vector<BuiltPoint> built(points.size());
  std::atomic<std::size_t> next = 0, n_done = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < points.size(); i = next++) {
      const fs::path folder = scratch / std::to_string(i);
      fs::create_directories(folder);
      std::vector<std::string> build = plan.bench.kernels.build;
      const auto macros = macros_of(plan.space, points[i]);
      build.insert(build.end(), macros.begin(), macros.end());
      try {
        built[i].library = build_library(plan.bench.kernels, build, plan.bench.device, folder);
      } catch (const Error& error) {
        // A limit that one combination exceeds, such as 48 KiB of static shared memory, is "unsupported".
        if (error.code() != ErrorCode::bad_argument && error.code() != ErrorCode::unsupported) throw;
        built[i].error = error.what();
      }
      ++n_done;
    }
  };
  const unsigned n_workers = std::clamp(std::thread::hardware_concurrency(), 1u, 64u);
  std::vector<std::future<void>> workers;
  for (unsigned i = 0; i < n_workers; ++i) workers.push_back(std::async(std::launch::async, work));
  for (std::future<void>& worker : workers) {
    while (worker.wait_for(std::chrono::milliseconds(200)) != std::future_status::ready)
      progress.show(fmt::format("compiling {} combinations", points.size()),
                    static_cast<double>(n_done) / static_cast<double>(points.size()));
  }
  for (std::future<void>& worker : workers) worker.get();
  return built;
}

/// The most useful line of a reason: the first one with "error", or the first one that is not a heading.
std::string key_line(const std::string& reason) {
  std::istringstream lines(reason);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("error") != std::string::npos) return line;
    if (first.empty() && !line.ends_with(":")) first = line;
  }
  return first;
}

/// The combinations that were not timed, by reason.
std::string excluded_text(const std::vector<Trial>& trials, const Space& space) {
  std::string text;
  for (const char* status : {"does not compile", "wrong", "hazard", "failed"}) {
    int n = 0;
    const Trial* first = nullptr;
    for (const Trial& trial : trials) {
      if (trial.status != status) continue;
      if (n++ == 0) first = &trial;
    }
    if (first == nullptr) continue;
    text += base::wrapped(fmt::format("{} {}, the first with {}: {}", n,
                                      std::string(status) == "does not compile" ? "do not compile" : status,
                                      name_of(space, first->point), key_line(first->reason)),
                          "  ", "    ");
  }
  return text;
}

/// Sets status and reason of the points that failed, and returns a job with the others.
bench::Job verified_job(const bench::Job& job, const std::map<std::string, bench::KernelVerdict>& verdicts,
                        const Space& space, std::vector<Trial>& trials) {
  bench::Job right{.plan = job.plan, .watch = job.watch, .results = job.results, .n_finalists = job.n_finalists};
  for (Trial& trial : trials) {
    const std::string name = name_of(space, trial.point);
    const auto verdict = verdicts.find(name);
    if (verdict == verdicts.end()) continue;
    if (verdict->second.status != lab::Status::verified) {
      trial.status = verdict->second.status == lab::Status::wrong    ? "wrong"
                     : verdict->second.status == lab::Status::hazard ? "hazard"
                                                                     : "failed";
      trial.reason = verdict->second.reason;
      continue;
    }
    const auto index = std::find(job.names.begin(), job.names.end(), name) - job.names.begin();
    right.libraries.push_back(job.libraries[static_cast<std::size_t>(index)]);
    right.names.push_back(name);
  }
  return right;
}

/// Adds the times or the counts that the child left in its results file. Returns the name of the winner, if there is
/// one.
std::string read_results(const bench::Job& job, const Space& space, std::vector<Trial>& trials) {
  const json results = json::parse(base::read_file(job.results).value_or("{}"), nullptr, false);
  if (!results.contains("points")) return "";
  const json& timed = results["points"];
  for (Trial& trial : trials) {
    const std::string name = name_of(space, trial.point);
    if (!timed.contains(name)) continue;
    const json& one = timed[name];
    if (one.contains("least_ns")) trial.ns = one["least_ns"].get<double>();
    if (one.contains("bytes_moved")) trial.bytes_moved = one["bytes_moved"].get<double>();
    trial.rounds = one.value("rounds", 0);
  }
  return results.value("winner", "");
}

/// Looks at the winner on the executor, with small sizes. Returns false, marks the trial and says why if it builds on
/// values that a call may not build on.
bool is_proved(const KernelTuningPlan& plan, const std::string& winner, const fs::path& scratch,
               const bench::StartChild& start, std::vector<Trial>& trials) {
  const auto trial = std::find_if(trials.begin(), trials.end(),
                                  [&](const Trial& one) { return name_of(plan.space, one.point) == winner; });
  if (trial == trials.end()) return true;
  const bench::Proof proof =
      prove(plan.bench, scratch, start, bench::Combination{winner, macros_of(plan.space, trial->point)});
  fmt::print(plan.bench.text_stream(), "{}", proof.notes);
  const auto rejected = proof.rejected.find(winner);
  if (rejected == proof.rejected.end()) return true;
  trial->status = "wrong";
  trial->reason = rejected->second.reason;
  fmt::print(plan.bench.text_stream(), "{}",
             base::wrapped(fmt::format("{} WRONG: {}", winner, trial->reason), "", "  "));
  return false;
}

/// Adds the trials to the measurements that the child wrote, or writes them alone.
void write_trials(const KernelTuningPlan& plan, const std::vector<Trial>& trials, bool is_measured) {
  const std::string &path = plan.bench.json_path, &csv = plan.bench.csv_path;
  if (!csv.empty() && csv != "-") base::write_file(csv, csv_of(plan.space, trials));
  if (csv == "-") fmt::print("{}", csv_of(plan.space, trials));
  if (path.empty() || (path == "-" && is_measured)) return;
  json document = is_measured ? json::parse(base::read_file(path).value_or("{}"))
                              : lab::ResultsFile(path, plan.bench.device, 1).document(nullptr, {});
  document["tune"] = to_json(plan.space, trials);
  if (path == "-") {
    fmt::print("{}\n", document.dump(1));
    return;
  }
  base::write_file(path, document.dump(1) + "\n");
  fmt::print(plan.bench.text_stream(), "Every trial is in {0}{1}\n", path,
             is_measured ? fmt::format("; 'rafter plot {} worth.svg' draws what each parameter is worth", path) : "");
}

}  // namespace

int tune_kernel(const KernelTuningPlan& plan) {
  for (const bench::Size& size : plan.bench.kernels.sizes) {
    if (size.values.size() > 1)
      throw Error(ErrorCode::bad_argument,
                  fmt::format("--set {}: the best combination is found for one size at a time", size.text));
  }
  const std::uint64_t seed = plan.bench.seed.value_or(1);
  const Points points = points_of(plan.space, plan.most_points, seed);
  std::FILE* out = plan.bench.text_stream();
  fmt::print(out, "{} of {:g} combinations{}\n", points.points.size(), points.n_combinations,
             points.is_sample ? fmt::format(", drawn with seed {} (--most takes more)", seed) : "");
  std::fflush(out);

  const base::ScratchFolder scratch;
  const std::vector<BuiltPoint> built = build_all(plan, points.points, scratch.path());
  bench::Job job{.plan = plan.bench,
                 .watch = scratch.path() / "watch",
                 .results = scratch.path() / "results.json",
                 .compares_bits = false,
                 .n_finalists = plan.n_finalists};
  std::vector<Trial> trials;
  for (std::size_t i = 0; i < built.size(); ++i) {
    trials.push_back({.point = points.points[i]});
    if (built[i].library.empty()) {
      trials[i].status = "does not compile";
      trials[i].reason = built[i].error;
    } else {
      job.libraries.push_back(built[i].library);
      job.names.push_back(name_of(plan.space, points.points[i]));
    }
  }
  if (job.names.empty()) throw Error(ErrorCode::bad_argument, "no combination compiles\n" + trials.front().reason);

  base::ProgressLine progress;
  job.variants = job.names;
  const bench::StartChild start = [&](const bench::Job& part) {
    progress.show("verifying the combinations",
                  1 - static_cast<double>(part.variants.size()) / static_cast<double>(job.names.size()));
    return run_child(part, bench::ChildOutput::discarded).was_stalled;
  };
  const auto verdicts = verify_apart(job, start);
  progress.clear();
  const bench::Job right = verified_job(job, verdicts, plan.space, trials);
  fmt::print(out, "{} are right\n{}\n", right.names.size(), excluded_text(trials, plan.space));
  std::fflush(out);
  if (right.names.empty()) {
    write_journal(plan.bench.event, "No combination is right.", "wrong");
    write_trials(plan, trials, false);
    return base::exit_no;
  }

  const bench::ChildEnd end = run_child(right, bench::ChildOutput::inherited);
  if (end.was_stalled)
    throw Error(ErrorCode::device_failure, fmt::format("{} did not end, although it did while it was verified",
                                                       bench::Watch(right.watch).running()));
  if (end.code != base::exit_good) return end.code;
  const std::string winner = read_results(right, plan.space, trials);
  const bool is_measured = plan.bench.device == Device::cuda;
  const bool is_honest = !is_measured || is_proved(plan, winner, scratch.path(), start, trials);
  if (is_measured) fmt::print(out, "\n{}", worth_table(worth_of(plan.space, trials)));
  write_trials(plan, trials, is_measured);
  return is_honest ? base::exit_good : base::exit_no;
}

void write_journal(journal::Event event, const std::string& said, const std::string& verdict, const std::string& winner,
                   const std::string& results) {
  event.rung = winner;
  event.results = results;
  event.verdict = verdict;
  event.said = said.substr(0, said.find('\n'));
  journal::record(event);
}

}  // namespace rafter::tune
