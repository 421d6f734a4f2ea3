#include "workbench/tune/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <future>
#include <memory>
#include <sstream>
#include <thread>

#include "base/exit_code.hpp"
#include "base/files.hpp"
#include "base/terminal.hpp"
#include "base/units.hpp"
#include "executor/device/simt_device.hpp"
#include "rafter/error.hpp"
#include "workbench/bench/bench.hpp"
#include "workbench/bench/verify.hpp"
#include "workbench/bench/watch.hpp"
#include "workbench/lab/data/generate.hpp"
#include "workbench/lab/machine/device_choice.hpp"
#include "workbench/lab/machine/machine.hpp"
#include "workbench/lab/measure/measure.hpp"
#include "workbench/lab/report/results_file.hpp"
#include "workbench/lab/report/table.hpp"
#include "workbench/tune/halving.hpp"
#include "workbench/tune/worth.hpp"

namespace rafter::tune {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// The numeric values in "TILE=16 UNROLL=2" by name.
base::Names names_from(const std::string& name) {
  base::Names names;
  std::istringstream words(name);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    char* end = nullptr;
    const double value = std::strtod(word.c_str() + equals + 1, &end);
    if (*end == '\0') names[word.substr(0, equals)] = value;
  }
  return names;
}

// ---- in a child process ----

/// The loaded libraries of a job and their variants. The references come from the first library.
class Candidates {
 public:
  explicit Candidates(const bench::Job& job) {
    for (const fs::path& file : job.libraries) libraries_.push_back(std::make_unique<bench::Library>(file));
    for (std::size_t i = 0; i < job.names.size(); ++i)
      variants_.push_back(
          {job.names[i], job.plan.kernels.kernels.front(), libraries_[i].get(), names_from(job.names[i])});
  }

  const std::vector<bench::Variant>& variants() const { return variants_; }

  /// The reference kernels, followed by the named variants.
  std::vector<bench::Variant> with_references(const bench::KernelPlan& plan,
                                              const std::vector<std::string>& names) const {
    std::vector<bench::Variant> chosen;
    for (const std::string& reference : plan.reference_kernels)
      chosen.push_back({reference, reference, libraries_.front().get(), variants_.front().macros});
    for (const std::string& name : names) {
      for (const bench::Variant& variant : variants_) {
        if (variant.name == name) chosen.push_back(variant);
      }
    }
    return chosen;
  }

 private:
  std::vector<std::unique_ptr<bench::Library>> libraries_{};
  std::vector<bench::Variant> variants_{};
};

/// Times all candidates by successive halving.
HalvingResult search(const bench::Job& job, const Candidates& candidates, const bench::Watch& watch,
                     lab::RunRoofs& roofs) {
  const Stream stream = lab::make_stream(Device::cuda, 0);
  const lab::Params params = job.plan.kernels.first_case();
  const lab::Workload workload =
      make_workload(job.plan.kernels, candidates.variants(), Device::cuda, job.rejected, watch.guard());
  const auto work = workload.make_case(params, stream, {.seed = lab::fresh_seed(), .n_input_sets = 2});
  const auto timer = lab::make_timer(stream, workload.bytes_per_input_set(params));
  base::ProgressLine progress;
  int n_timed = 0;
  const auto time = [&](std::size_t i) {
    const int set = n_timed++ % work->n_input_sets();
    return timer->time_ns(lab::Regime::cold, [&] { workload.rungs[i].run(*work, stream, set); });
  };
  const HalvingOptions halving{.n_finalists = static_cast<std::size_t>(job.n_finalists),
                               .floor_ns = roofs.floor(work->cost()).ns};
  return halve(workload.rungs.size(), halving, time,
               [&](double share) { progress.show("timing the combinations", share); });
}

/// The fastest verified combination, or null.
const lab::Measurement* winner_of(const lab::CaseReport& report, const bench::KernelPlan& plan) {
  const lab::Measurement* winner = nullptr;
  for (const lab::Measurement& m : report.rungs) {
    if (m.status != lab::Status::verified || plan.is_reference(m.rung->name)) continue;
    if (winner == nullptr || m.summary.median < winner->summary.median) winner = &m;
  }
  return winner;
}

/// "Winner: ...", and the combinations that are not slower.
std::string verdict_of(const lab::CaseReport& report, const bench::KernelPlan& plan) {
  const lab::Measurement* winner = winner_of(report, plan);
  if (winner == nullptr) return "No combination stayed right while it was timed.\n";
  std::string text = fmt::format("Winner: {}, {}, {:.0f}% of the floor\n", winner->rung->name,
                                 base::show_time(winner->summary.median), 100 * report.share_of_floor(*winner));
  for (const lab::Measurement& m : report.rungs) {
    if (&m == winner || m.status != lab::Status::verified || plan.is_reference(m.rung->name)) continue;
    const lab::Versus against = versus(*winner, m, report.noise);
    if (against.verdict == lab::Verdict::faster) continue;
    text += fmt::format("  {} is as good: {:.3f}x ({:.3f}x to {:.3f}x) {}\n", m.rung->name, 1 / against.ratio,
                        1 / against.interval_high, 1 / against.interval_low, name(against.verdict));
  }
  return text;
}

/// Adds the first line of `said` to the journal. The entry is about the winner, not about the kernel.
void write_journal(journal::Event event, const std::string& said, const std::string& verdict,
                   const std::string& winner = "", const std::string& results = "") {
  event.rung = winner;
  event.results = results;
  event.verdict = verdict;
  event.said = said.substr(0, said.find('\n'));
  journal::record(event);
}

/// On a GPU: searches, measures the finalists alternately, and writes the times of all points to the results file.
int measure(const bench::Job& job, const Candidates& candidates, const bench::Watch& watch) {
  const bench::KernelPlan& plan = job.plan.kernels;
  const Stream stream = lab::make_stream(Device::cuda, 0);
  lab::ResultsFile results(job.plan.json_path, Device::cuda, 1);
  results.name_sources(job.plan.event.sources);
  std::FILE* out = results.to_stdout() ? stderr : stdout;
  lab::RunRoofs roofs(lab::make_roof_meter(stream));
  roofs.begin();
  const HalvingResult found = search(job, candidates, watch, roofs);
  std::vector<std::string> finalists;
  for (const std::size_t i : found.finalists) finalists.push_back(job.names[i]);
  std::reverse(finalists.begin(), finalists.end());  // the best last, as on a ladder

  const lab::Workload workload =
      make_workload(plan, candidates.with_references(plan, finalists), Device::cuda, {}, watch.guard());
  base::ProgressLine progress;
  const lab::MeasureOptions how{.seed = lab::fresh_seed(), .rounds = {.cap_s = job.plan.quick ? 0.3 : 1.5}};
  const lab::CaseReport report =
      measure_case(workload, plan.first_case(), stream, roofs, how,
                   [&](const std::string& what, double share) { progress.show(what, share); });
  progress.clear();
  watch.guard().ended();
  const std::string verdict = verdict_of(report, plan);
  fmt::print(out, "rafter on {}\n{}\n{}{}", lab::describe_device(Device::cuda),
             ladder_table(report, roofs.now(), base::output_style()), verdict,
             found.is_near_floor ? "The search ended early: nothing can be much faster than the floor.\n" : "");
  roofs.end();
  json points = json::object();
  for (std::size_t i = 0; i < job.names.size(); ++i)
    points[job.names[i]] = {{"least_ns", found.best_ns[i]}, {"rounds", found.rounds[i]}};
  base::write_file(job.results, points.dump());
  results.finish(&roofs, std::span(&report, 1));
  const lab::Measurement* winner = winner_of(report, plan);
  write_journal(job.plan.event, verdict, "right", winner != nullptr ? winner->rung->name : "",
                results.document(&roofs, std::span(&report, 1)).dump());
  return base::exit_good;
}

/// Prints the counts of the combinations with the least traffic.
int count(const bench::Job& job, const Candidates& candidates) {
  const bench::KernelPlan& plan = job.plan.kernels;
  const lab::Workload workload = make_workload(plan, candidates.variants(), Device::simt, job.rejected, {});
  const lab::Params params = plan.first_case();
  const auto work = workload.make_case(params, Stream::on(Device::simt), {.seed = 1, .n_input_sets = 1});
  std::vector<bench::KernelCounts> all = bench::count_rungs(workload, *work);
  std::stable_sort(all.begin(), all.end(), [](const bench::KernelCounts& a, const bench::KernelCounts& b) {
    return a.bytes_moved < b.bytes_moved;
  });
  const std::string limit = limit_text(all.front(), work->cost());
  if (all.size() > static_cast<std::size_t>(job.n_finalists)) all.resize(static_cast<std::size_t>(job.n_finalists));
  fmt::print("Counted with {}, the combinations with the least traffic:\n{}{}", params.text(),
             bench::counts_table(all, work->cost()), limit);
  fmt::print("  There is no GPU here: nothing was timed, and there is no winner.\n");
  write_journal(job.plan.event, limit, "right");
  return base::exit_good;
}

// ---- in the process that the user started ----

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
        if (error.code() != ErrorCode::bad_argument) throw;
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

/// The most useful line of a reason: the first one with "error", or the first one.
std::string key_line(const std::string& reason) {
  std::istringstream lines(reason);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("error") != std::string::npos) return line;
    if (first.empty()) first = line;
  }
  return first;
}

/// The combinations that were not timed, by reason.
std::string excluded_text(const std::vector<Trial>& trials, const Space& space) {
  std::string text;
  for (const char* status : {"does not compile", "wrong", "failed"}) {
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
      trial.status = verdict->second.status == lab::Status::wrong ? "wrong" : "failed";
      trial.reason = verdict->second.reason;
      continue;
    }
    const auto index = std::find(job.names.begin(), job.names.end(), name) - job.names.begin();
    right.libraries.push_back(job.libraries[static_cast<std::size_t>(index)]);
    right.names.push_back(name);
  }
  return right;
}

/// Adds the times that the child left in its results file.
void read_times(const bench::Job& job, const Space& space, std::vector<Trial>& trials) {
  const json timed = json::parse(base::read_file(job.results).value_or("{}"), nullptr, false);
  for (Trial& trial : trials) {
    const std::string name = name_of(space, trial.point);
    if (!timed.contains(name)) continue;
    trial.ns = timed[name]["least_ns"].get<double>();
    trial.rounds = timed[name]["rounds"].get<int>();
  }
}

}  // namespace

int tune_child(const bench::Job& job) {
  const Device device = job.plan.device;
  if (device == Device::simt) simt::provide_device();
  const Candidates candidates(job);
  const bench::Watch watch(job.watch);
  if (!job.variants.empty()) {
    verify_here(job, candidates.variants(), lab::make_stream(device, 0));
    return base::exit_good;
  }
  return device == Device::simt ? count(job, candidates) : measure(job, candidates, watch);
}

int tune_kernel(const KernelTuningPlan& plan) {
  const std::uint64_t seed = plan.bench.seed.value_or(1);
  const Points points = points_of(plan.space, plan.most_points, seed);
  std::FILE* out = plan.bench.json_path == "-" ? stderr : stdout;
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
  const auto verdicts = verify_apart(job, [&](const bench::Job& part) {
    progress.show("verifying the combinations",
                  1 - static_cast<double>(part.variants.size()) / static_cast<double>(job.names.size()));
    return run_child(part, bench::ChildOutput::discarded).was_stalled;
  });
  progress.clear();
  const bench::Job right = verified_job(job, verdicts, plan.space, trials);
  fmt::print(out, "{} are right\n{}\n", right.names.size(), excluded_text(trials, plan.space));
  std::fflush(out);
  if (right.names.empty()) {
    write_journal(plan.bench.event, "No combination is right.", "wrong");
    return base::exit_no;
  }

  const bench::ChildEnd end = run_child(right, bench::ChildOutput::inherited);
  if (end.was_stalled)
    throw Error(ErrorCode::device_failure, fmt::format("{} did not end, although it did while it was verified",
                                                       bench::Watch(right.watch).running()));
  if (end.code != base::exit_good || plan.bench.device == Device::simt) return end.code;
  read_times(right, plan.space, trials);
  fmt::print(out, "\n{}", worth_table(worth_of(plan.space, trials)));
  const std::string& path = plan.bench.json_path;
  if (!path.empty() && path != "-") {
    json document = json::parse(base::read_file(path).value_or("{}"));
    document["tune"] = to_json(plan.space, trials);
    base::write_file(path, document.dump(1) + "\n");
    fmt::print("Every trial is in {0}; 'rafter plot {0} worth.svg' draws what each parameter is worth\n", path);
  }
  return base::exit_good;
}

}  // namespace rafter::tune
