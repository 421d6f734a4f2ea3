#include "lab/measure/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "base/units.hpp"
#include "rafter/error.hpp"

namespace rafter::lab {

namespace {

constexpr double plausible_share = 0.97;  // of the floor: roofs have their own noise
constexpr int n_other_samples = 15;

/// Leaves a regime without samples where the rung cannot do it, as one that cannot be captured in a graph.
void measure_other_regimes(Measurement& m, Case& work, const Stream& stream, Timer& timer, Regime headline) {
  for (const Regime regime : {Regime::cold, Regime::warm, Regime::graph, Regime::wall}) {
    if (regime == headline || !timer.supports(regime)) continue;
    std::vector<double> samples;
    try {
      for (int i = 0; i < n_other_samples; ++i) {
        const int set = i % work.n_input_sets();
        samples.push_back(timer.time_ns(regime, [&] { m.rung->run(work, stream, set); }));
      }
    } catch (const std::exception&) {
      samples.clear();
    }
    m.others[regime] = summarize(samples);
  }
}

bool is_verified(const Measurement& m) { return m.status == Status::verified; }

bool is_below(const Measurement& m, const Floor& floor) {
  return is_verified(m) && m.summary.median < plausible_share * floor.ns;
}

/// Rungs below the floor did not do the work, unless the roofs were measured at a bad time: those get a second chance.
void judge_plausibility(CaseReport& report, const MeasureOptions& options) {
  const auto any_below = [&] {
    return std::any_of(report.rungs.begin(), report.rungs.end(),
                       [&](const auto& m) { return is_below(m, report.floor); });
  };
  for (int attempt = 0; attempt < 4 && options.raise_roofs && any_below(); ++attempt) {
    report.floor = floor_of(report.cost, options.raise_roofs());
  }
  for (Measurement& m : report.rungs) {
    if (!is_below(m, report.floor)) continue;
    m.status = Status::implausible;
    m.reason = fmt::format("{} is below the floor of {}: it cannot have done the work",
                           base::show_time(m.summary.median), base::show_time(report.floor.ns));
  }
}

/// The answers once more, after all the timing.
void verify_again(Measurement& m, Case& work, const Stream& stream) {
  const Measurement again = verify_rung(*m.rung, work, stream);
  if (again.status == Status::verified) return;
  m.status = again.status;
  m.reason = "right before the timing, not after: " + again.reason;
}

/// Times the verified rungs. The last own rung, the op, takes part twice: against itself it shows the machine's noise.
void time_rungs(CaseReport& report, Rounds& rounds, const std::function<void(double)>& progress) {
  Measurement* op = nullptr;
  for (Measurement& m : report.rungs) {
    if (m.status != Status::verified) continue;
    rounds.add(m);
    if (m.rung->kind == RungKind::rung) op = &m;
  }
  Measurement twin{.rung = op != nullptr ? op->rung : nullptr};
  if (op != nullptr) rounds.add(twin);
  rounds.run(progress);
  if (op == nullptr) return;
  report.noise = noise_between(*op, twin);
  if (op->status == Status::verified && twin.status != Status::verified) {
    op->status = twin.status;
    op->reason = twin.reason;
  }
}

/// An input that changed while all were timed: nobody knows whose doing it was, so nobody's time counts.
void judge_inputs(CaseReport& report, Case& work) {
  const auto change = work.changed_input();
  if (!change) return;
  for (Measurement& m : report.rungs) {
    if (m.status != Status::verified) continue;
    m.status = Status::wrong;
    m.reason = "one of the rungs changed an input while they were timed: " + *change;
  }
}

}  // namespace

CaseReport measure_case(const Workload& workload, const Params& params, const Stream& stream, const Roofs& roofs,
                        const MeasureOptions& options, const Progress& progress) {
  const Regime regime = options.rounds.regime;
  CaseReport report{
      .workload = &workload, .params = params, .device = stream.device(), .seed = options.seed, .regime = regime};
  const auto rungs = rungs_on(workload, stream.device(), options.only);
  const std::string what = workload.name + " " + params.text();
  report.n_input_sets = n_input_sets_that_fit(workload, params, stream.device(), 3);
  progress(what + ": making inputs", 0);
  const auto work = workload.make_case(params, stream, {.seed = options.seed, .n_input_sets = report.n_input_sets});
  report.cost = work->cost();
  report.floor = floor_of(report.cost, roofs);
  for (const Rung* rung : rungs) {
    progress(what + ": verifying " + rung->name, 0.1);
    report.rungs.push_back(verify_rung(*rung, *work, stream));
  }

  if (std::none_of(report.rungs.begin(), report.rungs.end(), is_verified)) return report;

  const auto timer = make_timer(stream, workload.bytes_per_input_set(params));
  if (!timer->supports(regime)) {
    throw Error(ErrorCode::unsupported, fmt::format("device {} has no regime {}", name(stream.device()), name(regime)));
  }
  Rounds rounds(*work, stream, *timer, options.rounds);
  time_rungs(report, rounds, [&](double share) { progress(what + ": timing", 0.2 + 0.8 * share); });
  judge_inputs(report, *work);
  for (Measurement& m : report.rungs) {
    if (m.status != Status::verified) continue;
    if (options.all_regimes) measure_other_regimes(m, *work, stream, *timer, regime);
    m.summary = summarize(m.samples_ns);
    verify_again(m, *work, stream);
  }
  if (regime == Regime::cold) judge_plausibility(report, options);
  for (Measurement& m : report.rungs) {  // no number for what did not verify
    if (m.status != Status::verified) m = {.rung = m.rung, .status = m.status, .reason = m.reason};
  }
  return report;
}

}  // namespace rafter::lab
