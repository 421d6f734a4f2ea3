#include "workbench/lab/measure/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace rafter::lab {

namespace {

constexpr double widest_same = 0.05;  // larger differences are never SAME, however noisy the machine

double quantile(const std::vector<double>& sorted, double q) {
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - std::floor(position)) * (sorted[above] - sorted[below]);
}

/// Returns the highest rank (from 0) such that the samples of this rank and of its mirror image enclose the median
/// except with probability `outside`: rank + 1 or more of n samples fall on one side of the median with at most half of
/// that probability. Returns nullopt for too few samples: fewer than 6 for 5 %, 8 for 1 %.
std::optional<std::size_t> interval_rank(std::size_t n, double outside) {
  const auto count = static_cast<double>(n);
  double log_chance = -count * std::log(2.);  // probability that none falls below
  double tail = 0;
  std::optional<std::size_t> rank;
  for (std::size_t k = 0; k < n; ++k) {
    tail += std::exp(log_chance);
    if (tail > outside / 2) break;
    rank = k;
    log_chance += std::log((count - static_cast<double>(k)) / static_cast<double>(k + 1));
  }
  return rank;
}

std::vector<double> ratios(std::span<const double> numerator, std::span<const double> denominator) {
  std::vector<double> result(std::min(numerator.size(), denominator.size()));
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = numerator[i] / denominator[i];
  return result;
}

/// Returns the number of independent values that `values`, in the order of measurement, are equivalent to. Successive
/// values on the same side of the median, more often than chance, reduce it.
double n_independent(std::span<const double> values, double median) {
  const auto n = static_cast<double>(values.size());
  double together = 0, all = 0;
  int before = 0;
  for (const double value : values) {
    const int side = (value > median) - (value < median);
    together += side * before;
    all += side * side;
    before = side;
  }
  const double correlation = all > 0 ? std::clamp(together / all - 1 / std::sqrt(n), 0., 0.9) : 0;
  return n * (1 - correlation) / (1 + correlation);
}

struct Interval {
  double low = 1, median = 1, high = 1;
  bool is_known = false;  // false: it is the whole range
};

/// Returns the interval that contains the median except with probability `outside`; values are in the order of
/// measurement.
Interval median_interval(std::span<const double> in_order, double outside) {
  if (in_order.empty()) return {};
  std::vector<double> sorted(in_order.begin(), in_order.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = sorted.size();
  Interval interval{sorted.front(), quantile(sorted, 0.5), sorted.back()};
  const auto n_values = static_cast<std::size_t>(n_independent(in_order, interval.median));
  if (const auto rank = interval_rank(n_values, outside)) {
    const std::size_t place = *rank * n / n_values;
    interval = {sorted[place], interval.median, sorted[n - 1 - place], true};
  }
  return interval;
}

/// Returns the 99 % interval of the median of the ratios per round.
Interval ratio_interval(std::span<const double> numerator, std::span<const double> denominator) {
  return median_interval(ratios(numerator, denominator), 0.01);
}

Versus judge(const Interval& interval, double noise) {
  Versus versus{interval.median, interval.low, interval.high, Verdict::undecided};
  if (!interval.is_known) return versus;
  const double margin = std::max(0.01, 2 * noise), beyond = 1 + margin;
  if (interval.low > beyond) {
    versus.verdict = Verdict::faster;
  } else if (interval.high < 1 / beyond) {
    versus.verdict = Verdict::slower;
  } else if (!is_too_noisy(noise) && interval.low >= 1 / beyond && interval.high <= beyond) {
    versus.verdict = Verdict::same;
  }
  return versus;
}

}  // namespace

Summary summarize(std::span<const double> samples) {
  if (samples.empty()) return {};
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  Summary s{.n = sorted.size(),
            .minimum = sorted.front(),
            .lower_quartile = quantile(sorted, 0.25),
            .median = quantile(sorted, 0.5),
            .upper_quartile = quantile(sorted, 0.75),
            .interval_low = sorted.front(),
            .interval_high = sorted.back()};
  if (const auto rank = interval_rank(sorted.size(), 0.05)) {
    s.interval_low = sorted[*rank];
    s.interval_high = sorted[sorted.size() - 1 - *rank];
  }
  return s;
}

const char* name(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::faster: return "FASTER";
    case Verdict::slower: return "SLOWER";
    case Verdict::same: return "SAME";
    case Verdict::undecided: return "UNDECIDED";
  }
  return "";
}

Versus judge(std::span<const double> own, std::span<const double> other, double noise) {
  return judge(ratio_interval(other, own), noise);
}

Versus judge_unpaired(std::span<const double> own, std::span<const double> other, double noise) {
  constexpr double outside = 0.005;  // for each median: together 1 %
  const Interval a = median_interval(other, outside), b = median_interval(own, outside);
  if (own.empty() || other.empty()) return {};
  return judge({a.low / b.high, a.median / b.median, a.high / b.low, a.is_known && b.is_known}, noise);
}

bool is_too_noisy(double noise) { return !(2 * noise <= widest_same); }

double noise_of(std::span<const double> once, std::span<const double> again) {
  const Interval interval = ratio_interval(again, once);
  return std::max(std::abs(interval.high - 1), std::abs(interval.low - 1));
}

}  // namespace rafter::lab
