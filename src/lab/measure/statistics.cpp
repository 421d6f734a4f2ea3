#include "lab/measure/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace rafter::lab {

namespace {

constexpr double widest_same = 0.05;  // what differs by more is not the same, however noisy the machine

double quantile(const std::vector<double>& sorted, double q) {
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - std::floor(position)) * (sorted[above] - sorted[below]);
}

/// The highest rank (from 0) such that it and its mirror image enclose the median with 95 %: so many of n samples fall
/// below the median with a chance of 2.5 % at most. Nothing below six samples.
std::optional<std::size_t> interval_rank(std::size_t n) {
  const auto count = static_cast<double>(n);
  double log_chance = -count * std::log(2.);  // that none falls below
  double tail = 0;
  std::optional<std::size_t> rank;
  for (std::size_t k = 0; k < n; ++k) {
    tail += std::exp(log_chance);
    if (tail > 0.025) break;
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
  if (const auto rank = interval_rank(sorted.size())) {
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
  const Summary s = summarize(ratios(other, own));
  if (s.n == 0) return {};
  Versus versus{s.median, s.interval_low, s.interval_high, Verdict::undecided};
  if (s.n < 6) return versus;
  const double margin = std::max(0.01, 2 * noise), beyond = 1 + margin, within = 1 + std::min(margin, widest_same);
  if (s.interval_low > beyond) {
    versus.verdict = Verdict::faster;
  } else if (s.interval_high < 1 / beyond) {
    versus.verdict = Verdict::slower;
  } else if (s.interval_low >= 1 / within && s.interval_high <= within) {
    versus.verdict = Verdict::same;
  }
  return versus;
}

bool is_too_noisy(double noise) { return !(2 * noise <= widest_same); }

double noise_of(std::span<const double> once, std::span<const double> again) {
  const Summary s = summarize(ratios(again, once));
  if (s.n == 0) return 0;
  return std::max(std::abs(s.interval_high - 1), std::abs(s.interval_low - 1));
}

}  // namespace rafter::lab
