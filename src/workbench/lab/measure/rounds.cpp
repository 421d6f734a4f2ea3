#include "workbench/lab/measure/rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>

#include "base/random.hpp"

namespace rafter::lab {

namespace {

constexpr std::size_t enough_samples = 20;
constexpr double enough_seconds = 0.2;
constexpr double steady_uncertainty = 0.005;

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

void Rounds::Runner::give_up(Status status, const std::string& reason) {
  result->status = status;
  result->reason = reason;
  done = true;
}

bool Rounds::Runner::is_steady() const {
  return result->samples_ns.size() >= enough_samples && busy_s >= enough_seconds &&
         summarize(result->samples_ns).uncertainty() < steady_uncertainty;
}

void Rounds::run(const std::function<void(double)>& progress) {
  const auto guarded = [](Runner& runner, const auto& work) {  // a rung that throws is removed; the others go on
    try {
      work();
    } catch (const std::exception& error) {
      runner.give_up(Status::failed, std::string("correct at first, then failed: ") + error.what());
    }
  };
  for (Runner& runner : runners_) guarded(runner, [&] { settle(runner); });
  for (int round = 0; !all_done(); ++round) {
    renew_inputs(round);
    if (round % 2 == 1) std::reverse(runners_.begin(), runners_.end());  // ABBA
    for (Runner& runner : runners_) {
      if (!runner.done) guarded(runner, [&] { sample(runner, round); });
    }
    if (round % 2 == 1) std::reverse(runners_.begin(), runners_.end());
    progress(share_done());
  }
}

void Rounds::settle(Runner& runner) {
  const auto start = Clock::now();
  const bool has_settled = runner.result->is_slow;
  for (int i = 0; !has_settled && (i < 3 || seconds_since(start) < options_.settle_s); ++i) {
    runner.result->rung->run(work_, stream_, i % work_.n_input_sets());
    stream_.synchronize();
    if (seconds_since(start) > options_.cap_s) break;
  }
  timer_.is_throttled();  // records the steady clock rate
}

/// Makes new inputs for a round, as long as that takes no longer than the samples do.
void Rounds::renew_inputs(int round) {
  if (!can_renew_ || renewing_s_ > sampling_s_) return;
  const auto start = Clock::now();
  can_renew_ = work_.renew(round % work_.n_input_sets(), base::random_word());
  renewing_s_ += seconds_since(start);
  if (can_renew_) fresh_round_ = round;
}

/// Verifies the sample that was just taken, or gives the rung up.
void Rounds::verify(Runner& runner, int round, int set) {
  Measurement& result = *runner.result;
  if (!work_.is_known_right(set)) {
    const bool may_skip = result.rung->trust == Trust::own && !result.is_slow;
    const bool is_cheap = 2 * runner.comparing_s <= runner.busy_s;
    if (may_skip && !is_cheap && base::random_word() % 2 == 0) return;
    const auto start = Clock::now();
    const Comparison comparison = work_.check(set);
    runner.comparing_s += seconds_since(start);
    if (!comparison.ok()) {
      const std::string what = fmt::format("correct at first, wrong in round {}: {}", round, comparison.text());
      return runner.give_up(Status::wrong, what);
    }
  }
  ++result.n_verified;
}

void Rounds::sample(Runner& runner, int round) {
  Measurement& result = *runner.result;
  const int set = (round + runner.set_shift) % work_.n_input_sets();
  const auto start = Clock::now();
  const double ns = timer_.time_ns(
      options_.regime, [&] { result.rung->run(work_, stream_, set); },
      [&] { work_.prepare_timed(set, base::random_word()); });
  verify(runner, round, set);
  const double seconds = seconds_since(start);
  runner.busy_s += seconds;
  sampling_s_ += seconds;
  if (runner.done) return;
  if (round == fresh_round_ && runner.set_shift == 0) ++result.n_fresh;
  if (timer_.is_throttled() && result.n_discarded * 5 < static_cast<int>(result.samples_ns.size())) {
    ++result.n_discarded;
  } else {
    result.samples_ns.push_back(ns);
    result.rounds.push_back(round);
  }
  const bool steady = runner.is_steady();
  const std::size_t n = result.samples_ns.size();
  const bool late = runner.busy_s > options_.cap_s && n >= fewest_rounds;
  const bool too_late = runner.busy_s > options_.slow_cap_s() && n >= RoundsOptions::fewest_samples;
  runner.done = steady || late || too_late;
  if (runner.done) result.stopped_by = steady ? "steady" : "time";
}

bool Rounds::all_done() const {
  return std::all_of(runners_.begin(), runners_.end(), [](const Runner& r) { return r.done; });
}

double Rounds::share_done() const {
  double share = 0;
  for (const Runner& r : runners_) share += r.done ? 1 : std::min(0.99, r.busy_s / options_.cap_s);
  return share / static_cast<double>(runners_.size());
}

}  // namespace rafter::lab
