#include "workbench/tune/trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <limits>
#include <thread>

#include "base/exit_code.hpp"
#include "base/files.hpp"
#include "base/terminal.hpp"
#include "base/units.hpp"
#include "rafter/error.hpp"
#include "workbench/bench/watch.hpp"

namespace rafter::tune {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

unsigned n_workers() { return std::clamp(std::thread::hardware_concurrency(), 1u, 64u); }

/// Trials between two entries in the cache, and so the most that an interruption loses.
std::size_t portion() { return std::max<std::size_t>(16, 2 * n_workers()); }

std::string status_text(lab::Status status) {
  if (status == lab::Status::verified) return "verified";
  if (status == lab::Status::wrong) return "wrong";
  return status == lab::Status::hazard ? "hazard" : "failed";
}

}  // namespace

double value_of(const Trial& trial) {
  if (trial.status != "verified") return std::numeric_limits<double>::infinity();
  return trial.ns.value_or(trial.estimate_ns.value_or(std::numeric_limits<double>::infinity()));
}

Trials::Trials(const KernelTuningPlan& plan, fs::path scratch, TrialCache* cache)
    : plan_(plan), scratch_(std::move(scratch)), cache_(cache) {}

Trial& Trials::of(const Point& point) { return trials_.at(index_.at(point)); }
const Trial& Trials::of(const Point& point) const { return trials_.at(index_.at(point)); }

std::size_t Trials::n_from_cache() const {
  return static_cast<std::size_t>(
      std::count_if(trials_.begin(), trials_.end(), [](const Trial& trial) { return trial.is_from_cache; }));
}

std::size_t Trials::n_right() const {
  return static_cast<std::size_t>(
      std::count_if(trials_.begin(), trials_.end(), [](const Trial& trial) { return trial.status == "verified"; }));
}

bool Trials::start(const bench::Job& job) const { return run_child(job, bench::ChildOutput::discarded).was_stalled; }

/// Compiles the points, as many at a time as there are cores.
void Trials::build(const std::vector<Point>& points) {
  struct Built {
    fs::path library{};
    std::string error{};
    double ms = 0;
  };
  base::ProgressLine progress;
  std::vector<Built> built(points.size());
  std::atomic<std::size_t> next = 0, n_done = 0;
  const std::size_t first_folder = n_built_;
  n_built_ += points.size();
  const auto work = [&] {
    for (std::size_t i = next++; i < points.size(); i = next++) {
      const fs::path folder = scratch_ / std::to_string(first_folder + i);
      fs::create_directories(folder);
      std::vector<std::string> words = plan_.bench.kernels.build;
      const auto macros = macros_of(plan_.space, points[i]);
      words.insert(words.end(), macros.begin(), macros.end());
      const auto began = std::chrono::steady_clock::now();
      try {
        built[i].library = build_library(plan_.bench.kernels, words, plan_.bench.device, folder);
      } catch (const Error& error) {
        // A limit that one combination exceeds, such as 48 KiB of static shared memory, is "unsupported".
        if (error.code() != ErrorCode::bad_argument && error.code() != ErrorCode::unsupported) throw;
        built[i].error = error.what();
      }
      built[i].ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
      ++n_done;
    }
  };
  std::vector<std::future<void>> workers;
  for (unsigned i = 0; i < std::min<std::size_t>(n_workers(), points.size()); ++i)
    workers.push_back(std::async(std::launch::async, work));
  for (std::future<void>& worker : workers) {
    while (worker.wait_for(std::chrono::milliseconds(200)) != std::future_status::ready)
      progress.show(fmt::format("compiling {} combinations", points.size()),
                    static_cast<double>(n_done) / static_cast<double>(points.size()));
  }
  for (std::future<void>& worker : workers) worker.get();
  for (std::size_t i = 0; i < points.size(); ++i) {
    Trial& trial = of(points[i]);
    trial.compile_ms = built[i].ms;
    if (built[i].library.empty()) {
      trial.status = "does not compile";
      trial.reason = built[i].error;
    } else {
      libraries_[points[i]] = built[i].library;
    }
  }
}

bench::Job Trials::job_of(const std::vector<Point>& points) const {
  bench::Job job{.plan = plan_.bench,
                 .watch = scratch_ / "watch",
                 .results = scratch_ / "results.json",
                 .compares_bits = false,
                 .n_finalists = plan_.n_finalists,
                 .measures_energy = plan_.objective == Objective::energy};
  for (const Point& point : points) {
    if (of(point).status != "verified" || !libraries_.contains(point)) continue;
    job.libraries.push_back(libraries_.at(point));
    job.names.push_back(name_of(plan_.space, point));
  }
  return job;
}

void Trials::verify(const std::vector<Point>& points) {
  bench::Job job = job_of(points);
  if (job.names.empty()) return;
  base::ProgressLine progress;
  job.variants = job.names;
  const auto verdicts = verify_apart(job, [&](const bench::Job& part) {
    progress.show("verifying the combinations",
                  1 - static_cast<double>(part.variants.size()) / static_cast<double>(job.names.size()));
    return start(part);
  });
  progress.clear();
  for (const Point& point : points) {
    const auto verdict = verdicts.find(name_of(plan_.space, point));
    if (verdict == verdicts.end()) continue;
    Trial& trial = of(point);
    trial.status = status_text(verdict->second.status);
    if (trial.status != "verified") trial.reason = verdict->second.reason;
  }
}

void Trials::try_all(const std::vector<Point>& points) {
  for (const Point& point : points) {
    index_[point] = trials_.size();
    trials_.push_back({.point = point, .when = base::now_utc()});
  }
  build(points);
  verify(points);
}

std::vector<double> Trials::sample(const std::vector<Point>& points) {
  std::vector<Point> fresh;
  for (const Point& point : points) {
    const Trial* known = cache_ != nullptr ? cache_->find(point) : nullptr;
    const bool is_complete = known != nullptr && (known->status != "verified" || known->ns || known->estimate_ns);
    if (!is_complete) {
      fresh.push_back(point);
      continue;
    }
    index_[point] = trials_.size();
    trials_.push_back(*known);
    trials_.back().point = point;
  }
  for (std::size_t begin = 0; begin < fresh.size(); begin += portion()) {
    const auto end = static_cast<std::ptrdiff_t>(std::min(fresh.size(), begin + portion()));
    const std::vector<Point> part(fresh.begin() + static_cast<std::ptrdiff_t>(begin), fresh.begin() + end);
    try_all(part);
    bench::Job job = job_of(part);
    job.is_search = true;
    if (!job.names.empty()) {
      std::error_code ignored;
      fs::remove(job.results, ignored);
      const bench::ChildEnd ended = run_child(job, bench::ChildOutput::discarded);
      if (ended.was_stalled || ended.code != base::exit_good)
        throw Error(ErrorCode::device_failure,
                    fmt::format("{} did not end well, although it did while it was verified",
                                ended.was_stalled ? bench::Watch(job.watch).running() : "a combination"));
      read_results(job);
    }
    keep(part);
  }
  std::vector<double> values;
  for (const Point& point : points) values.push_back(value_of(of(point)));
  return values;
}

std::vector<Point> Trials::best(std::size_t n) {
  while (true) {
    std::vector<const Trial*> right;
    for (const Trial& trial : trials_) {
      if (trial.status == "verified") right.push_back(&trial);
    }
    std::stable_sort(right.begin(), right.end(),
                     [](const Trial* a, const Trial* b) { return value_of(*a) < value_of(*b); });
    if (right.size() > n) right.resize(n);
    std::vector<Point> chosen, unbuilt;
    for (const Trial* trial : right) {
      chosen.push_back(trial->point);
      if (!libraries_.contains(trial->point)) unbuilt.push_back(trial->point);
    }
    if (unbuilt.empty()) return chosen;
    build(unbuilt);
    verify(unbuilt);
    keep(unbuilt);
  }
}

std::string Trials::read_results(const bench::Job& job) {
  const json results = json::parse(base::read_file(job.results).value_or("{}"), nullptr, false);
  if (!results.is_object() || !results.contains("points")) return "";
  const json& found = results["points"];
  for (Trial& trial : trials_) {
    const std::string name = name_of(plan_.space, trial.point);
    if (!found.contains(name)) continue;
    const json& one = found[name];
    if (one.contains("least_ns")) trial.ns = one["least_ns"].get<double>();
    if (one.contains("bytes_moved")) trial.bytes_moved = one["bytes_moved"].get<double>();
    if (one.contains("estimate_ns")) trial.estimate_ns = one["estimate_ns"].get<double>();
    if (one.contains("energy_j")) trial.energy_j = one["energy_j"].get<double>();
    trial.rounds = one.value("rounds", 0);
  }
  return results.value("winner", "");
}

void Trials::keep(const std::vector<Point>& points) const {
  if (cache_ == nullptr) return;
  std::vector<Trial> kept;
  for (const Point& point : points) kept.push_back(of(point));
  cache_->add(kept);
}

}  // namespace rafter::tune
