#include "workbench/lab/roofs/run_roofs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/files.hpp"
#include "base/units.hpp"

namespace rafter::lab {

namespace {

constexpr CurveEffort whole_curve{.fewest_rounds = 1, .most_rounds = 6, .budget_s = 4};
constexpr CurveEffort few_points{.is_spot_check = true, .fewest_rounds = 1, .most_rounds = 3, .budget_s = 0.4};
constexpr CurveEffort once_more{.fewest_rounds = 2, .most_rounds = 3, .budget_s = 1};
constexpr CurveEffort at_the_end{.fewest_rounds = 0, .most_rounds = 2, .budget_s = 1.2};
constexpr double short_run_s = 20;  // a run that takes less is not lengthened by a whole curve at its end

constexpr double clearly_better = 1.25;  // than a cached curve, which was then measured on a busy machine
constexpr double too_different = 1.25;   // in either direction, for comparing times
constexpr double noise_of_loops = 0.03;  // by which a time may be below the floor
constexpr int most_measured_again = 3;   // in a run: it takes a second or two

bool differs_much(double ratio) { return ratio > too_different || ratio < 1 / too_different; }

/// Returns the age as text: "1 hour", "5 hours".
std::string show_age(double seconds) {
  const auto hours = std::lround(seconds / 3600);
  return fmt::format("{} hour{}", hours, hours == 1 ? "" : "s");
}

/// Returns the largest ratio of a's rates to b's, where both are measured.
double most_over(const Bandwidth& a, const Bandwidth& b) {
  double most = 0;
  for (std::size_t t = 0; t < n_traffics; ++t) {
    for (std::size_t s = 0; s < a.sizes().size(); ++s) {
      if (a.at(t, s) > 0 && b.at(t, s) > 0) most = std::max(most, a.at(t, s) / b.at(t, s));
    }
  }
  return most;
}

std::string show_operations(Unit unit, double rate) {
  return fmt::format("{} {}", name(unit), base::show_rate(rate, unit == Unit::special ? "op/s" : "FLOP/s"));
}

}  // namespace

RunRoofs::RunRoofs(std::unique_ptr<RoofMeter> meter, RunRoofsOptions options)
    : meter_(std::move(meter)),
      options_(std::move(options)),
      cache_(options_.cache_path.empty() ? base::cache_folder() / "roofs.json" : options_.cache_path) {}

void RunRoofs::begin() {
  if (meter_ == nullptr) return;
  begun_s_ = options_.clocks.steady_s();
  const auto known = cache_.find(meter_->machine(), meter_->sizes(), options_.clocks.unix_s());
  if (known && options_.source == RoofSource::cached) {
    use_cached(*known);
  } else {
    remeasure();
  }
  now_.bandwidth = curve_.bandwidth;
  now_.cache_bytes_per_s = meter_->cache_bytes_per_s();
  now_.cache_bytes = meter_->cache_bytes();
  now_.sector_bytes = meter_->sector_bytes();
  now_.launch_ns = meter_->launch_ns();
  const Bandwidth loops = std::move(start_.bandwidth);
  start_ = now_;
  start_.bandwidth = loops;
  const auto messages = take_messages();
  require(Unit::fp32);
  messages_ = messages;  // every heading shows this roof already
  meter_->release();
}

void RunRoofs::use_cached(const CachedCurve& known) {
  const Bandwidth check = measure_bandwidth(*meter_, few_points, options_.clocks);
  if (most_over(check, known.bandwidth) > clearly_better) return remeasure();
  curve_ = known;
  curve_.bandwidth.raise_to(check);
  start_.bandwidth = check;
  for (const std::size_t t : {read_traffic, write_traffic, copy_traffic}) {
    const double ratio = check.largest(t) / known.bandwidth.largest(t);
    if (ratio >= 1 / too_different) continue;
    too_busy_ = true;
    messages_.push_back(
        fmt::format("{} bandwidth is {:.2f}x of the value measured {} ago: this machine is busy, or it has changed "
                    "(to measure again: rafter device --remeasure)",
                    all_traffics[t].name, ratio, show_age(options_.clocks.unix_s() - known.measured_unix_s)));
    return;
  }
}

void RunRoofs::remeasure() {
  curve_ = {measure_bandwidth(*meter_, whole_curve, options_.clocks), options_.clocks.unix_s()};
  start_.bandwidth = curve_.bandwidth;
  cache_.keep(meter_->machine(), curve_);
}

void RunRoofs::require(Unit unit) {
  bool& is_measured = is_measured_[static_cast<std::size_t>(unit)];
  if (meter_ == nullptr || is_measured) return;
  is_measured = true;
  start_.operations_per_s[unit] = now_.operations_per_s[unit] = meter_->operations_per_s(unit);
  if (now_.operations_per_s[unit] > 0)
    messages_.push_back("roof of " + show_operations(unit, now_.operations_per_s[unit]));
}

Floor RunRoofs::floor(const Cost& cost, CacheState state) {
  for (const Unit unit : all_units) {
    if (cost.operations[unit] > 0) require(unit);
  }
  return floor_of(cost, now_, state);
}

bool RunRoofs::allows(const Cost& cost, double ns) {
  const auto is_allowed = [&] { return ns >= (1 - noise_of_loops) * floor(cost).ns; };
  if (!is_allowed() && meter_ != nullptr && n_measured_again_++ < most_measured_again) measure_again(cost);
  return is_allowed();
}

void RunRoofs::measure_again(const Cost& cost) {
  const Bandwidth again = measure_bandwidth(*meter_, once_more, options_.clocks);
  now_.bandwidth.raise_to(again);
  curve_.bandwidth.raise_to(again);
  now_.cache_bytes_per_s = std::max(now_.cache_bytes_per_s, meter_->cache_bytes_per_s());
  now_.launch_ns = std::min(now_.launch_ns, meter_->launch_ns());
  for (const Unit unit : all_units) {
    if (cost.operations[unit] <= 0) continue;
    now_.operations_per_s[unit] = std::max(now_.operations_per_s[unit], meter_->operations_per_s(unit));
  }
  meter_->release();
}

void RunRoofs::record_beaten(const Cost& cost, double ns, const std::string& by) {
  const Floor beaten = floor(cost);
  beaten_.push_back({by, beaten, ns});
  messages_.push_back(fmt::format("{} took {}, less than its floor of {} ({}): our loops do not reach that roof", by,
                                  base::show_time(ns), base::show_time(beaten.ns), name(beaten)));
}

void RunRoofs::record_drift(const char* what, double before, double after) {
  if (before <= 0 || after <= 0) return;
  drifts_.push_back({what, after / before});
  too_busy_ = too_busy_ || differs_much(after / before);
}

void RunRoofs::end() {
  if (meter_ == nullptr) return;
  end_ = start_;
  const bool is_short = options_.clocks.steady_s() - begun_s_ < short_run_s;
  end_.bandwidth = measure_bandwidth(*meter_, is_short ? few_points : at_the_end, options_.clocks);
  for (const std::size_t t : {read_traffic, write_traffic, copy_traffic}) {
    record_drift(all_traffics[t].name, start_.bandwidth.largest(t), end_.bandwidth.largest(t));
  }
  for (const Unit unit : all_units) {
    if (start_.operations_per_s[unit] <= 0) continue;
    end_.operations_per_s[unit] = meter_->operations_per_s(unit);
    record_drift(name(unit), start_.operations_per_s[unit], end_.operations_per_s[unit]);
    now_.operations_per_s[unit] = std::max(now_.operations_per_s[unit], end_.operations_per_s[unit]);
  }
  meter_->release();
  now_.bandwidth.raise_to(end_.bandwidth);
  curve_.bandwidth.raise_to(end_.bandwidth);
  cache_.keep(meter_->machine(), curve_);

  std::string line;
  for (const Drift& drift : drifts_)
    line += fmt::format("{}{} {:.2f}x", line.empty() ? "" : ", ", drift.what, drift.ratio);
  messages_.push_back("roofs at the end relative to the start: " + line);
  if (too_busy_) {
    messages_.push_back(
        "This machine is too busy for reliable times: its roofs differ by more than 25 % between measurements. "
        "Verification results are valid; do not trust these times.");
  }
}

}  // namespace rafter::lab
