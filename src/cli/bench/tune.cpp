#include "cli/bench/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <future>
#include <memory>
#include <sstream>
#include <thread>

#include "base/files.hpp"
#include "base/messages.hpp"
#include "base/terminal.hpp"
#include "base/units.hpp"
#include "cli/bench/process.hpp"
#include "cli/bench/request.hpp"
#include "cli/bench/told.hpp"
#include "cli/outputs.hpp"
#include "cli/streams.hpp"
#include "executor/build/toolchain.hpp"
#include "executor/device/simt_device.hpp"
#include "executor/report/report_file.hpp"
#include "workbench/bench/counts.hpp"
#include "workbench/bench/verify.hpp"
#include "workbench/bench/watch.hpp"
#include "workbench/lab/data/generate.hpp"
#include "workbench/lab/machine/machine.hpp"
#include "workbench/lab/measure/measure.hpp"
#include "workbench/lab/report/results_file.hpp"
#include "workbench/lab/report/table.hpp"
#include "workbench/tune/halving.hpp"
#include "workbench/tune/worth.hpp"

namespace rafter::cli {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// The values of "TILE=16 UNROLL=2" that are numbers.
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

// ---- in a process of its own ----

/// The kernels of a job, loaded; and the references, from the first library.
class Loaded {
 public:
  Loaded(const bench::Job& job, const bench::Plan& plan) {
    for (const fs::path& file : job.libraries) libraries_.push_back(std::make_unique<bench::Library>(file));
    for (std::size_t i = 0; i < job.names.size(); ++i)
      variants_.push_back({job.names[i], plan.kernels.front(), libraries_[i].get(), names_from(job.names[i])});
  }

  const std::vector<bench::Variant>& variants() const { return variants_; }

  /// The reference kernels, and these.
  std::vector<bench::Variant> with_references(const bench::Plan& plan, const std::vector<std::string>& names) const {
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

/// Times all a little and the better ones more; returns what is known of each.
tune::HalvingResult search(const bench::Job& job, const bench::Plan& plan, const Loaded& loaded,
                           const TuneOptions& options, const bench::Watch& watch, lab::RunRoofs& roofs) {
  const Stream stream = stream_on(Device::cuda, 0);
  const lab::Params params = plan.first_case();
  const lab::Workload workload = make_workload(plan, loaded.variants(), Device::cuda, job.broken, watch.guard());
  const auto work = workload.make_case(params, stream, {.seed = lab::fresh_seed(), .n_input_sets = 2});
  const auto timer = lab::make_timer(stream, workload.bytes_per_input_set(params));
  base::ProgressLine progress;
  int n_timed = 0;
  const auto time = [&](std::size_t i) {
    const int set = n_timed++ % work->n_input_sets();
    return timer->time_ns(lab::Regime::cold, [&] { workload.rungs[i].run(*work, stream, set); });
  };
  const tune::HalvingOptions halving{.n_finalists = static_cast<std::size_t>(options.n_finalists),
                                     .floor_ns = roofs.floor(work->cost()).ns};
  return tune::halve(workload.rungs.size(), halving, time,
                     [&](double share) { progress.show("timing the combinations", share); });
}

/// "Winner: ...", and who is no different.
std::string verdict_of(const lab::CaseReport& report, const bench::Plan& plan) {
  const lab::Measurement* winner = nullptr;
  for (const lab::Measurement& m : report.rungs) {
    if (m.status != lab::Status::verified || plan.is_reference(m.rung->name)) continue;
    if (winner == nullptr || m.summary.median < winner->summary.median) winner = &m;
  }
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

/// The winner is what the step is about: of all, the fastest that is no reference.
void tell_journal(const TuneOptions& options, const std::string& said, const std::string& results,
                  const char* verdict = "right") {
  journal::Event event = event_of(options.bench);
  event.rung = said.starts_with("Winner: ") ? said.substr(8, said.find(", ") - 8) : "";
  event.results = results;
  event.verdict = verdict;
  event.said = said.substr(0, said.find('\n'));
  journal::record(event);
}

/// On a GPU: searches, measures the finalists in turns, and leaves what is known of each point.
int measure(const bench::Job& job, const bench::Plan& plan, const Loaded& loaded, const TuneOptions& options,
            const bench::Watch& watch) {
  const Stream stream = stream_on(Device::cuda, 0);
  lab::ResultsFile results(options.bench.json_path, Device::cuda, 1);
  std::FILE* out = results.to_stdout() ? stderr : stdout;
  lab::RunRoofs roofs(lab::make_roof_meter(stream));
  roofs.begin();
  const tune::HalvingResult found = search(job, plan, loaded, options, watch, roofs);
  std::vector<std::string> finalists;
  for (const std::size_t i : found.finalists) finalists.push_back(job.names[i]);
  std::reverse(finalists.begin(), finalists.end());  // the best last, as on a ladder

  const lab::Workload workload =
      make_workload(plan, loaded.with_references(plan, finalists), Device::cuda, {}, watch.guard());
  base::ProgressLine progress;
  const lab::MeasureOptions how{.seed = lab::fresh_seed(), .rounds = {.cap_s = options.bench.quick ? 0.3 : 1.5}};
  const lab::CaseReport report =
      measure_case(workload, plan.first_case(), stream, roofs, how,
                   [&](const std::string& what, double share) { progress.show(what, share); });
  progress.clear();
  watch.guard().ended();
  fmt::print(out, "rafter on {}\n{}\n{}{}", lab::describe_device(Device::cuda),
             ladder_table(report, roofs.now(), base::output_style()), verdict_of(report, plan),
             found.is_near_floor ? "The search ended early: nothing can be much faster than the floor.\n" : "");
  roofs.end();
  json points = json::object();
  for (std::size_t i = 0; i < job.names.size(); ++i)
    points[job.names[i]] = {{"least_ns", found.best_ns[i]}, {"rounds", found.rounds[i]}};
  base::write_file(job.results, points.dump());
  results.finish(&roofs, std::span(&report, 1));
  tell_journal(options, verdict_of(report, plan), results.document(&roofs, std::span(&report, 1)).dump());
  return exit_good;
}

/// Without a GPU: what the executor counts of each.
int count(const bench::Job& job, const bench::Plan& plan, const Loaded& loaded, const TuneOptions& options) {
  const lab::Workload workload = make_workload(plan, loaded.variants(), Device::simt, job.broken, {});
  const Stream stream = Stream::on(Device::simt);
  const lab::Params params = plan.first_case();
  const auto work = workload.make_case(params, stream, {.seed = 1, .n_input_sets = 1});
  std::vector<bench::KernelCounts> all;
  for (const lab::Rung& rung : workload.rungs) {
    work->prepare(0);
    const std::string report = simt::count_accesses([&] { rung.run(*work, stream, 0); });
    all.push_back(bench::counts_of(rung.name, simt::report::parse_report(report, simt::build::toolchain().shim_dir)));
  }
  std::stable_sort(all.begin(), all.end(), [](const bench::KernelCounts& a, const bench::KernelCounts& b) {
    return a.bytes_moved < b.bytes_moved;
  });
  const std::size_t n_shown = std::min<std::size_t>(all.size(), static_cast<std::size_t>(options.n_finalists));
  fmt::print("Counted with {}, those that move least:\n{}{}", params.text(),
             bench::counts_table({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n_shown)}, work->cost()),
             limit_text(all.front(), work->cost()));
  fmt::print("  There is no GPU here: nothing was timed, and there is no winner.\n");
  tell_journal(options, limit_text(all.front(), work->cost()), "");
  return exit_good;
}

int perform(const bench::Job& job, const TuneOptions& options, const bench::Plan& plan) {
  const Device device = device_of(options.bench);
  if (device == Device::simt) simt::provide_device();
  const Loaded loaded(job, plan);
  const bench::Watch watch(job.watch);
  if (!job.variants.empty()) {
    verify_here(job, plan, loaded.variants(), plan.first_case(), stream_on(device, 0));
    return exit_good;
  }
  return device == Device::simt ? count(job, plan, loaded, options) : measure(job, plan, loaded, options, watch);
}

// ---- in the process that the user started ----

struct BuiltPoint {
  fs::path library{};
  std::string error{};
};

/// All points, as many at once as there are cores.
std::vector<BuiltPoint> build_all(const bench::Plan& plan, const TuneOptions& options, const tune::Space& space,
                                  const std::vector<tune::Point>& points, Device device, const fs::path& scratch) {
  base::ProgressLine progress;
  std::vector<BuiltPoint> built(points.size());
  std::atomic<std::size_t> next = 0, n_done = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < points.size(); i = next++) {
      const fs::path folder = scratch / std::to_string(i);
      fs::create_directories(folder);
      std::vector<std::string> build = options.bench.build;
      const auto macros = macros_of(space, points[i]);
      build.insert(build.end(), macros.begin(), macros.end());
      try {
        built[i].library = build_library(plan, build, device, folder);
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

/// The line of a reason that says most: a compiler's first error, or the first of all.
std::string line_of(const std::string& reason) {
  std::istringstream lines(reason);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("error") != std::string::npos) return line;
    if (first.empty()) first = line;
  }
  return first;
}

/// What did not get as far as being timed.
std::string excluded_text(const std::vector<tune::Trial>& trials, const tune::Space& space) {
  std::string text;
  for (const char* status : {"does not compile", "wrong", "failed"}) {
    int n = 0;
    const tune::Trial* first = nullptr;
    for (const tune::Trial& trial : trials) {
      if (trial.status != status) continue;
      if (n++ == 0) first = &trial;
    }
    if (first == nullptr) continue;
    text += base::wrapped(fmt::format("{} {}, the first with {}: {}", n,
                                      std::string(status) == "does not compile" ? "do not compile" : status,
                                      name_of(space, first->point), line_of(first->reason)),
                          "  ", "    ");
  }
  return text;
}

}  // namespace

int tune(const TuneOptions& options) {
  if (options.bench.build.empty()) throw Error(ErrorCode::bad_argument, "no CUDA source was given; expected FILE.cu");
  if (options.bench.kernels.size() != 1)
    throw Error(ErrorCode::bad_argument, "one kernel is tuned at a time: --kernel NAME");
  journal::require_words(options.bench.words);
  const bench::Plan plan = make_plan(request_of(options.bench));
  if (const auto job = job_of_this_process()) return perform(*job, options, plan);

  const Device device = device_of(options.bench);
  const std::uint64_t seed = options.bench.seed.empty() ? 1 : std::stoull(options.bench.seed);
  const tune::Space space = tune::make_space(options.parameters, options.where);
  const tune::Points points = points_of(space, static_cast<std::size_t>(options.most_points), seed);
  std::FILE* out = options.bench.json_path == "-" ? stderr : stdout;
  fmt::print(out, "{} of {:g} combinations{}\n", points.points.size(), points.n_combinations,
             points.is_sample ? fmt::format(", drawn with seed {} (--most takes more)", seed) : "");
  std::fflush(out);

  const base::ScratchFolder scratch;
  const std::vector<BuiltPoint> built = build_all(plan, options, space, points.points, device, scratch.path());
  bench::Job job{.watch = scratch.path() / "watch", .results = scratch.path() / "results.json", .asks_for_bits = false};
  std::vector<tune::Trial> trials;
  for (std::size_t i = 0; i < built.size(); ++i) {
    trials.push_back({.point = points.points[i]});
    if (built[i].library.empty()) {
      trials[i].status = "does not compile";
      trials[i].reason = built[i].error;
    } else {
      job.libraries.push_back(built[i].library);
      job.names.push_back(name_of(space, points.points[i]));
    }
  }
  if (job.names.empty()) throw Error(ErrorCode::bad_argument, "no combination compiles\n" + trials.front().reason);

  base::ProgressLine progress;
  job.variants = job.names;
  std::size_t n_left = job.names.size();
  const auto verdicts = verify_apart(job, plan, options.bench.time_limit_s, [&](const bench::Job& part) {
    n_left = part.variants.size();
    progress.show("verifying the combinations",
                  1 - static_cast<double>(n_left) / static_cast<double>(job.names.size()));
    return run_job(part, device, options.bench.time_limit_s, Voice::silent).was_stopped;
  });
  progress.clear();

  bench::Job right{.watch = job.watch, .results = job.results};
  for (tune::Trial& trial : trials) {
    const std::string name = name_of(space, trial.point);
    const auto verdict = verdicts.find(name);
    if (verdict == verdicts.end()) continue;
    if (verdict->second.status != lab::Status::verified) {
      trial.status = verdict->second.status == lab::Status::wrong ? "wrong" : "failed";
      trial.reason = verdict->second.reason;
      continue;
    }
    const auto place = std::find(job.names.begin(), job.names.end(), name) - job.names.begin();
    right.libraries.push_back(job.libraries[static_cast<std::size_t>(place)]);
    right.names.push_back(name);
  }
  fmt::print(out, "{} are right\n{}\n", right.names.size(), excluded_text(trials, space));
  std::fflush(out);
  if (right.names.empty()) {
    tell_journal(options, "No combination is right.", "", "wrong");
    return exit_no;
  }

  const JobEnd end = run_job(right, device, options.bench.time_limit_s, Voice::ours);
  if (end.was_stopped)
    throw Error(ErrorCode::device_failure,
                fmt::format("{} did not end, though it did before", bench::Watch(right.watch).running()));
  if (end.code != exit_good || device == Device::simt) return end.code;
  const json timed = json::parse(base::read_file(right.results).value_or("{}"), nullptr, false);
  for (tune::Trial& trial : trials) {
    const std::string name = name_of(space, trial.point);
    if (!timed.contains(name)) continue;
    trial.ns = timed[name]["least_ns"].get<double>();
    trial.rounds = timed[name]["rounds"].get<int>();
  }
  fmt::print(out, "\n{}", worth_table(worth_of(space, trials)));
  const std::string& path = options.bench.json_path;
  if (!path.empty() && path != "-") {
    json document = json::parse(base::read_file(path).value_or("{}"));
    document["tune"] = to_json(space, trials);
    base::write_file(path, document.dump(1) + "\n");
    fmt::print("Every trial is in {0}; 'rafter plot {0} worth.svg' draws what each parameter is worth\n", path);
  }
  return exit_good;
}

}  // namespace rafter::cli
