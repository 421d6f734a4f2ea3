#include "lab/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "lab/machine.hpp"
#include "lab/units.hpp"
#include "rafter/error.hpp"

namespace rafter::lab {

namespace {

constexpr std::size_t enough_samples = 20;
constexpr double enough_seconds = 0.2;
constexpr double steady_uncertainty = 0.005;
constexpr double plausible_share = 0.97;  // of the floor: roofs have their own noise
constexpr int n_other_samples = 15;

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Runs a rung on one input set over a poisoned output and checks the answer. Throws what the rung throws.
Comparison run_checked(const Rung& rung, Case& work, const Stream& stream, int set) {
  work.poison();
  rung.run(work, stream, set);
  stream.synchronize();
  return work.check(set);
}

/// A rung in the rounds. The op takes part twice, so that the machine's own noise is known from the same rounds.
struct Runner {
  Measurement* result;
  double busy_s = 0;
  bool done = false;

  void give_up(Status status, const std::string& reason) {
    result->status = status;
    result->reason = reason;
    done = true;
  }
};

bool is_steady(const Runner& runner) {
  const std::vector<double>& samples = runner.result->samples_ns;
  return samples.size() >= enough_samples && runner.busy_s >= enough_seconds &&
         summarize(samples).uncertainty() < steady_uncertainty;
}

/// The times of two rungs in the rounds in which both were timed.
struct Paired {
  std::vector<double> a;
  std::vector<double> b;
};
Paired paired(const Measurement& a, const Measurement& b) {
  Paired pairs;
  for (std::size_t i = 0, j = 0; i < a.rounds.size() && j < b.rounds.size();) {
    if (a.rounds[i] == b.rounds[j]) {
      pairs.a.push_back(a.samples_ns[i]);
      pairs.b.push_back(b.samples_ns[j]);
    }
    const int round = std::min(a.rounds[i], b.rounds[j]);
    i += a.rounds[i] == round ? 1 : 0;
    j += b.rounds[j] == round ? 1 : 0;
  }
  return pairs;
}

class Rounds {
 public:
  Rounds(Case& work, const Stream& stream, Timer& timer, const MeasureOptions& options)
      : work_(work), stream_(stream), timer_(timer), options_(options) {}

  void add(Measurement& measurement) { runners_.push_back({&measurement}); }

  void run(const std::function<void(double)>& progress) {
    for (Runner& runner : runners_) guarded(runner, [&] { settle(runner); });
    for (int round = 0; !all_done(); ++round) {
      if (round % 2 == 1) std::reverse(runners_.begin(), runners_.end());  // ABBA
      for (Runner& runner : runners_) {
        if (!runner.done) guarded(runner, [&] { sample(runner, round); });
      }
      if (round % 2 == 1) std::reverse(runners_.begin(), runners_.end());
      progress(share_done());
    }
  }

 private:
  // A rung that breaks down takes only itself out of the rounds.
  static void guarded(Runner& runner, const std::function<void()>& work) {
    try {
      work();
    } catch (const Error& error) {
      runner.give_up(Status::failed, std::string("right at first, then: ") + error.what());
    }
  }

  void settle(Runner& runner) {
    const auto start = Clock::now();
    for (int i = 0; i < 3 || seconds_since(start) < options_.settle_s; ++i) {
      runner.result->rung->run(work_, stream_, i % work_.n_input_sets());
      stream_.synchronize();
      if (seconds_since(start) > options_.cap_s) break;
    }
    timer_.is_throttled();  // remembers the steady clock
  }

  void sample(Runner& runner, int round) {
    Measurement& result = *runner.result;
    const int set = round % work_.n_input_sets();
    const bool checked = round == 4 || round == 19;
    if (checked) work_.poison();
    const auto start = Clock::now();
    const double ns = timer_.time_ns(options_.regime, [&] { result.rung->run(work_, stream_, set); });
    runner.busy_s += seconds_since(start);
    if (timer_.is_throttled() && result.n_discarded * 5 < static_cast<int>(result.samples_ns.size())) {
      ++result.n_discarded;
    } else {
      result.samples_ns.push_back(ns);
      result.rounds.push_back(round);
    }
    if (checked) {
      const Comparison comparison = work_.check(set);
      if (!comparison.ok()) {
        return runner.give_up(Status::wrong,
                              fmt::format("right at first, wrong in round {}: {}", round, comparison.text()));
      }
    }
    const bool steady = is_steady(runner);
    runner.done = steady || (runner.busy_s > options_.cap_s && result.samples_ns.size() >= 3);
    if (runner.done) result.stopped_by = steady ? "steady" : "time";
  }

  bool all_done() const {
    return std::all_of(runners_.begin(), runners_.end(), [](const Runner& r) { return r.done; });
  }
  double share_done() const {
    double share = 0;
    for (const Runner& r : runners_) share += r.done ? 1 : std::min(1., r.busy_s / options_.cap_s);
    return share / static_cast<double>(runners_.size());
  }

  Case& work_;
  const Stream& stream_;
  Timer& timer_;
  const MeasureOptions& options_;
  std::vector<Runner> runners_;
};

void measure_other_regimes(Measurement& m, Case& work, const Stream& stream, Timer& timer, Regime headline) {
  for (const Regime regime : {Regime::cold, Regime::warm, Regime::graph, Regime::wall}) {
    if (regime == headline || !timer.supports(regime)) continue;
    std::vector<double> samples;
    for (int i = 0; i < n_other_samples; ++i) {
      const int set = i % work.n_input_sets();
      samples.push_back(timer.time_ns(regime, [&] { m.rung->run(work, stream, set); }));
    }
    m.others[regime] = summarize(samples);
  }
}

void finish(Measurement& m, Case& work, const Stream& stream, const Floor& floor, Regime regime) {
  m.summary = summarize(m.samples_ns);
  const Measurement again = verify_rung(*m.rung, work, stream);
  if (again.status != Status::verified) {
    m.status = again.status;
    m.reason = "right before the timing, not after: " + again.reason;
  } else if (regime == Regime::cold && m.summary.median < plausible_share * floor.ns) {
    m.status = Status::implausible;
    m.reason = fmt::format("{} is below the floor of {}: it cannot have done the work, or the roofs are out of date",
                           show_time(m.summary.median), show_time(floor.ns));
  }
}

}  // namespace

const char* name(Status status) noexcept {
  switch (status) {
    case Status::verified: return "verified";
    case Status::wrong: return "WRONG";
    case Status::refused: return "refused";
    case Status::absent: return "not built";
    case Status::failed: return "FAILED";
    case Status::implausible: return "INVALID";
  }
  return "";
}

const Measurement* CaseReport::op() const {
  const Measurement* last = nullptr;
  for (const Measurement& m : rungs) {
    if (m.status == Status::verified && m.rung->kind == RungKind::rung) last = &m;
  }
  return last;
}

const Measurement* CaseReport::best_peer() const {
  const Measurement* best = nullptr;
  for (const Measurement& m : rungs) {
    if (m.status != Status::verified || m.rung->kind != RungKind::peer || m.summary.n == 0) continue;
    if (best == nullptr || m.summary.median < best->summary.median) best = &m;
  }
  return best;
}

bool CaseReport::any_wrong() const {
  return std::any_of(rungs.begin(), rungs.end(), [](const Measurement& m) {
    return m.status == Status::wrong || m.status == Status::failed || m.status == Status::implausible;
  });
}

Versus versus(const Measurement& own, const Measurement& other, double noise) {
  const auto [a, b] = paired(own, other);
  return judge(a, b, noise);
}

Measurement verify_rung(const Rung& rung, Case& work, const Stream& stream) {
  Measurement m{.rung = &rung};
  if (!rung.run) {
    m.status = Status::absent;
    m.reason = "not in this build";
    return m;
  }
  try {
    for (int set = 0; set < work.n_input_sets() && m.status == Status::verified; ++set) {
      const Comparison comparison = run_checked(rung, work, stream, set);
      m.reason = comparison.text();
      if (!comparison.ok()) m.status = Status::wrong;
    }
  } catch (const Error& error) {
    const bool refusal = error.code() == ErrorCode::unsupported || error.code() == ErrorCode::out_of_memory;
    m.status = refusal ? Status::refused : Status::failed;
    m.reason = error.what();
    if (!refusal) return m;  // a broken device cannot be asked about its inputs
  }
  if (const auto change = work.changed_input()) {
    m.reason = m.status == Status::wrong ? m.reason + "; " + *change : *change;
    m.status = Status::wrong;
  }
  return m;
}

int n_input_sets_that_fit(const Workload& workload, const Params& params, Device device, int wanted) {
  const double each = workload.bytes_per_input_set(params);
  const auto available = 0.8 * static_cast<double>(available_bytes(device));
  if (each > available) {
    throw Error(ErrorCode::out_of_memory,
                fmt::format("{} with {} needs {}; device {} has {} free", workload.name, params.text(),
                            show_bytes(each), name(device), show_bytes(available)));
  }
  return each > 0 ? static_cast<int>(std::min<double>(wanted, available / each)) : wanted;
}

CaseReport measure_case(const Workload& workload, const Params& params, const Stream& stream, const Roofs& roofs,
                        const MeasureOptions& options, const Progress& progress) {
  CaseReport report{.workload = &workload,
                    .params = params,
                    .device = stream.device(),
                    .seed = options.seed,
                    .regime = options.regime};
  const auto rungs = rungs_on(workload, stream.device(), options.only);
  const std::string what = workload.name + " " + params.text();
  report.n_input_sets = n_input_sets_that_fit(workload, params, stream.device(), 3);
  progress(what + ": making inputs", 0);
  const auto work = workload.make_case(params, stream, {.seed = options.seed, .n_input_sets = report.n_input_sets});
  report.cost = work->cost();
  report.floor = floor_of(report.cost, roofs);

  report.rungs.reserve(rungs.size() + 1);  // runners point into it
  for (const Rung* rung : rungs) {
    progress(what + ": verifying " + rung->name, 0.1);
    report.rungs.push_back(verify_rung(*rung, *work, stream));
  }

  const auto timer = make_timer(stream, workload.bytes_per_input_set(params) * report.n_input_sets);
  Rounds rounds(*work, stream, *timer, options);
  Measurement* op = nullptr;
  for (Measurement& m : report.rungs) {
    if (m.status != Status::verified) continue;
    rounds.add(m);
    if (m.rung->kind == RungKind::rung) op = &m;
  }
  Measurement twin;
  if (op != nullptr) {
    twin = {.rung = op->rung};
    rounds.add(twin);
  }
  rounds.run([&](double share) { progress(what + ": timing", 0.2 + 0.8 * share); });
  if (op != nullptr && op->status == Status::verified && twin.status != Status::verified) {
    op->status = twin.status;
    op->reason = twin.reason;
  }
  if (op != nullptr) {
    const auto [once, again] = paired(*op, twin);
    report.noise = noise_of(once, again);
  }

  const auto change = work->changed_input();
  for (Measurement& m : report.rungs) {
    if (m.status != Status::verified) continue;
    if (change) {
      m.status = Status::wrong;
      m.reason = "one of the rungs changed an input while they were timed: " + *change;
      continue;
    }
    if (options.all_regimes) measure_other_regimes(m, *work, stream, *timer, options.regime);
    finish(m, *work, stream, report.floor, options.regime);
  }
  for (Measurement& m : report.rungs) {  // no number for what did not verify
    if (m.status != Status::verified) m.samples_ns.clear(), m.rounds.clear(), m.summary = {};
  }
  return report;
}

}  // namespace rafter::lab
