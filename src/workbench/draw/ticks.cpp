#include "workbench/draw/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rafter::draw {

namespace {

std::string decimal(double value, int decimals) {
  const std::string text = fmt::format("{:.{}f}", value == 0 ? 0. : value, decimals);
  return text.starts_with('-') ? "\u2212" + text.substr(1) : text;
}

Ticks linear_ticks(Range range, int n) {
  const auto [low, high] = range;
  const double rough = (high - low) / n;
  const double largest = std::max(std::abs(low), std::abs(high));
  if (!(rough > 0) || !std::isfinite(rough) || !(rough > 1e-14 * largest) || rough < 1e-300) return {};
  const double power = std::pow(10., std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5., 2., 1.}) {
    if (factor * power >= rough * 0.999) step = factor * power;
  }
  Ticks result;
  if (largest >= 1e5 || largest < 1e-2) result.exponent = static_cast<int>(std::floor(std::log10(largest)));
  const double unit = std::pow(10., result.exponent);
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step / unit) - 1e-9)));
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k += 1) {
    result.ticks.push_back({k * step, decimal(k * step / unit, decimals)});
    if (result.ticks.size() > 100) return {};
  }
  return result;
}

/// Powers of the base; every one has a mark, and as many have numbers as there is room for.
Ticks power_ticks(int base, Range range, int n) {
  const double log_base = std::log(base);
  const auto first = static_cast<int>(std::ceil(std::log(range.low) / log_base - 1e-9));
  const auto last = static_cast<int>(std::floor(std::log(range.high) / log_base + 1e-9));
  const int step = std::max(1, (last - first) / std::max(1, n) + ((last - first) % std::max(1, n) != 0 ? 1 : 0));
  const bool plain = range.low >= 0.9e-3 && range.high <= 1.1e4;
  Ticks result;
  for (int k = first; k <= last; ++k) {
    const double value = std::pow(base, k);
    const std::string label = plain ? fmt::format("{:.6g}", value) : fmt::format("{}^{}", base, k);
    result.ticks.push_back({value, k % step == 0 ? label : ""});
  }
  return result;
}

/// 2 to 9 times the powers of ten; 2 and 5 have numbers where there is room for them.
void add_between_powers(Ticks& ticks, Range range, int n) {
  const bool numbers = range.low >= 0.9e-3 && range.high <= 1.1e4 && 3 * std::ssize(ticks.ticks) <= n;
  const auto lowest = std::pow(10., std::floor(std::log10(range.low)));
  for (double power = lowest; power <= range.high; power *= 10) {
    for (int k = 2; k < 10; ++k) {
      const double value = k * power;
      if (value < range.low || value > range.high) continue;
      ticks.ticks.push_back({value, numbers && (k == 2 || k == 5) ? fmt::format("{:.6g}", value) : ""});
    }
  }
}

Ticks log_ticks(Scale scale, Range range, int n) {
  if (!(range.low > 0) || !(range.low < range.high) || !std::isfinite(range.high)) return {};
  Ticks ticks = power_ticks(scale == Scale::log2 ? 2 : 10, range, n);
  if (scale == Scale::log10 && range.high / range.low < 1e7) add_between_powers(ticks, range, n);
  const auto n_labels = std::count_if(ticks.ticks.begin(), ticks.ticks.end(), [](auto& t) { return !t.label.empty(); });
  return n_labels >= 2 ? ticks : linear_ticks(range, n);
}

}  // namespace

Ticks ticks_of(Scale scale, Range range, int n) {
  return scale == Scale::linear ? linear_ticks(range, n) : log_ticks(scale, range, n);
}

}  // namespace rafter::draw
