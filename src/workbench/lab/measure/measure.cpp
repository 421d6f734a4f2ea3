#include "workbench/lab/measure/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "base/random.hpp"
#include "base/units.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/measure/stage_profile.hpp"

namespace rafter::lab {

namespace {

constexpr int n_other_samples = 15;

/// Times the rung in a regime and verifies every sample. Returns no samples if the rung does not support the regime,
/// such as one that cannot be captured in a graph, or is wrong in it.
std::vector<double> sample_regime(Measurement& m, Case& work, const Stream& stream, Timer& timer, Regime regime) {
  std::vector<double> samples;
  try {
    for (int i = 0; i < n_other_samples; ++i) {
      const int set = i % work.n_input_sets();
      samples.push_back(timer.time_ns(
          regime, [&] { m.rung->run(work, stream, set); }, [&] { work.prepare_timed(set, base::random_word()); }));
      if (work.is_known_right(set)) continue;
      const Comparison comparison = work.check(set);
      if (comparison.ok()) continue;
      m.status = Status::wrong;
      m.reason = fmt::format("correct at first, wrong in regime {}: {}", name(regime), comparison.text());
      return {};
    }
  } catch (const std::exception&) {
    return {};
  }
  return samples;
}

void measure_other_regimes(Measurement& m, Case& work, const Stream& stream, Timer& timer, Regime headline) {
  for (const Regime regime : {Regime::cold, Regime::warm, Regime::graph, Regime::wall}) {
    if (regime == headline || !timer.supports(regime) || m.status != Status::verified) continue;
    m.others[regime] = summarize(sample_regime(m, work, stream, timer, regime));
  }
}

/// Returns nullopt for a rung that cannot be captured.
std::optional<int> count_launches(const Measurement& m, Case& work, const Stream& stream, Timer& timer) {
  try {
    return timer.n_launches([&] { m.rung->run(work, stream, 0); });
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

bool is_verified(const Measurement& m) { return m.status == Status::verified; }

/// Judges the times that are below the floor.
void judge_plausibility(CaseReport& report, RunRoofs& roofs, const std::string& what) {
  const Measurement* fastest = nullptr;
  for (Measurement& m : report.rungs) {
    if (!is_verified(m)) continue;
    const double ns = m.summary.median;
    if (!roofs.is_possible(report.cost, ns)) {
      m.status = Status::implausible;
      m.reason = fmt::format(
          "{} is less than half of the time that the caches, the arithmetic units or empty launches need: "
          "the timed call did not do its work",
          base::show_time(ns));
    } else if (roofs.allows(report.cost, ns)) {
      continue;
    } else if (m.rung->trust == Trust::unproved) {
      const Floor floor = roofs.floor(report.cost);
      m.status = Status::suspicious;
      m.reason = fmt::format(
          "{} is less than the floor of {} ({}), and nothing shows where the values that it writes come from",
          base::show_time(ns), base::show_time(floor.ns), name(floor));
    } else if (fastest == nullptr || ns < fastest->summary.median) {
      fastest = &m;
    }
  }
  report.floor = roofs.floor(report.cost);
  if (fastest != nullptr) roofs.record_beaten(report.cost, fastest->summary.median, what + " " + fastest->rung->name);
}

/// Verifies the rung again after the timing, on one input set, to find effects of the timed calls.
void verify_again(Measurement& m, Case& work, const Stream& stream) {
  const Measurement again = verify_rung(*m.rung, work, stream, {.most_sets = 1});
  if (again.status == Status::verified) return;
  m.status = again.status;
  m.reason = "correct before the timing, but not after it: " + again.reason;
}

/// Times the verified rungs. The last own rung, the op, is timed twice: the difference shows the machine's noise.
void time_rungs(CaseReport& report, Rounds& rounds, const std::function<void(double)>& progress) {
  Measurement* op = nullptr;
  for (Measurement& m : report.rungs) {
    if (m.status != Status::verified) continue;
    rounds.add(m);
    if (m.rung->kind == RungKind::rung) op = &m;
  }
  Measurement repeat{.rung = op != nullptr ? op->rung : nullptr};
  if (op != nullptr) {
    repeat.is_slow = op->is_slow;
    rounds.add_repeat(repeat);
  }
  rounds.run(progress);
  if (op == nullptr) return;
  report.noise = noise_between(*op, repeat);
  if (op->status == Status::verified && repeat.status != Status::verified) {
    op->status = repeat.status;
    op->reason = repeat.reason;
  }
}

/// Rejects all times if an input changed during the timing, because the rung that changed it is unknown.
void judge_inputs(CaseReport& report, Case& work) {
  const auto change = work.changed_input();
  if (!change) return;
  for (Measurement& m : report.rungs) {
    if (m.status != Status::verified) continue;
    m.status = Status::wrong;
    m.reason = "one of the rungs changed an input during the timing: " + *change;
  }
}

}  // namespace

CaseReport measure_case(const Workload& workload, const Params& params, const Stream& stream, RunRoofs& roofs,
                        const MeasureOptions& options, const Progress& progress) {
  const Regime regime = options.rounds.regime;
  CaseReport report{
      .workload = &workload, .params = params, .device = stream.device(), .seed = options.seed, .regime = regime};
  const auto rungs = rungs_on(workload, stream.device(), options.only);
  const std::string what = workload.name + " " + params.text();
  report.n_input_sets = n_input_sets_that_fit(workload, params, stream.device(), 3);
  progress(what + ": generating inputs", 0);
  const auto work = workload.make_case(params, stream, {.seed = options.seed, .n_input_sets = report.n_input_sets});
  report.cost = work->cost();
  report.floor = roofs.floor(report.cost, regime == Regime::cold ? CacheState::cold : CacheState::warm);
  for (const Rung* rung : rungs) {
    progress(what + ": verifying " + rung->name, 0.1);
    report.rungs.push_back(verify_rung(*rung, *work, stream, {.slow_s = options.rounds.slow_s()}));
  }

  if (std::none_of(report.rungs.begin(), report.rungs.end(), is_verified)) return report;

  const bool has_others = std::any_of(rungs.begin(), rungs.end(), [](const Rung* r) { return r->trust != Trust::own; });
  const auto timer =
      make_timer(stream, workload.bytes_per_input_set(params), has_others ? KeepsLines::possibly : KeepsLines::no);
  if (!timer->supports(regime)) {
    throw Error(ErrorCode::unsupported, fmt::format("device {} has no regime {}", name(stream.device()), name(regime)));
  }
  Rounds rounds(*work, stream, *timer, options.rounds);
  time_rungs(report, rounds, [&](double share) { progress(what + ": timing", 0.2 + 0.8 * share); });
  judge_inputs(report, *work);
  for (Measurement& m : report.rungs) {
    if (m.status != Status::verified) continue;
    if (options.all_regimes) measure_other_regimes(m, *work, stream, *timer, regime);
    m.n_launches = count_launches(m, *work, stream, *timer);
    m.summary = summarize(m.samples_ns);
    if (is_verified(m) && (!m.is_slow || options.all_regimes)) verify_again(m, *work, stream);
    if (options.stages && is_verified(m)) profile_stages(m, *work, stream, *timer, regime);
  }
  if (regime == Regime::cold) judge_plausibility(report, roofs, what);
  for (Measurement& m : report.rungs) {  // no times for rungs that are not verified
    if (m.status != Status::verified) m = {.rung = m.rung, .status = m.status, .reason = m.reason};
  }
  return report;
}

}  // namespace rafter::lab
