#include "lab/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace rafter::lab {

namespace {

double quantile(const std::vector<double>& sorted, double q) {
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - std::floor(position)) * (sorted[above] - sorted[below]);
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
  const auto n = static_cast<double>(sorted.size());
  Summary s{.n = sorted.size(),
            .minimum = sorted.front(),
            .lower_quartile = quantile(sorted, 0.25),
            .median = quantile(sorted, 0.5),
            .upper_quartile = quantile(sorted, 0.75),
            .interval_low = sorted.front(),
            .interval_high = sorted.back()};
  if (sorted.size() >= 6) {  // fewer cannot give 95 %
    const double reach = 1.96 * std::sqrt(n) / 2;
    s.interval_low = sorted[static_cast<std::size_t>(std::max(0., std::floor(n / 2 - reach)))];
    s.interval_high = sorted[static_cast<std::size_t>(std::min(n - 1, std::ceil(n / 2 + reach)))];
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
  const double margin = std::max(0.01, 2 * noise);
  const double upper = 1 + margin;
  const double lower = 1 / upper;
  if (s.interval_low > upper) {
    versus.verdict = Verdict::faster;
  } else if (s.interval_high < lower) {
    versus.verdict = Verdict::slower;
  } else if (s.interval_low >= lower && s.interval_high <= upper) {
    versus.verdict = Verdict::same;
  }
  return versus;
}

double noise_of(std::span<const double> once, std::span<const double> again) {
  const Summary s = summarize(ratios(again, once));
  if (s.n == 0) return 0;
  return std::max(std::abs(s.interval_high - 1), std::abs(s.interval_low - 1));
}

}  // namespace rafter::lab
