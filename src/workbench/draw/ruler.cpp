#include "workbench/draw/ruler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "workbench/draw/axes.hpp"

namespace rafter::draw {

namespace {

std::string label_of(const Axis& axis, int exponent) {
  if (exponent == 0) return axis.unit.empty() ? axis.label : fmt::format("{} ({})", axis.label, axis.unit);
  if (axis.unit.empty()) return fmt::format("{} (\u00d7 10^{})", axis.label, exponent);
  return fmt::format("{} (10^{} {})", axis.label, exponent, axis.unit);
}

}  // namespace

Ruler::Ruler(const Axis& axis, Range range, double length, Direction direction) : scale_(axis.scale), range_(range) {
  int n = direction == Direction::across ? std::max(2, static_cast<int>(length / 50))
                                         : std::max(3, static_cast<int>(length / 36));
  if (axis.ticks.empty()) {
    choose_ticks(n);
    while (direction == Direction::across && n > 2 && n * (widest_number_ + 10) > length) choose_ticks(--n);
  } else {
    take_ticks(axis.ticks, length, direction);
  }
  label_ = label_of(axis, ticks_.exponent);
}

void Ruler::choose_ticks(int n) {
  ticks_ = ticks_of(scale_, range_, n);
  measure_numbers();
}

// Keeps the ticks within the range and removes labels that would touch the previous one.
void Ruler::take_ticks(std::vector<Tick> ticks, double length, Direction direction) {
  std::erase_if(ticks, [&](const Tick& tick) { return !(tick.value >= range_.low && tick.value <= range_.high); });
  std::sort(ticks.begin(), ticks.end(), [](const Tick& a, const Tick& b) { return a.value < b.value; });
  double taken = -1e9;  // occupied up to here, in points
  for (Tick& tick : ticks) {
    if (tick.label.empty()) continue;
    const double half =
        direction == Direction::across ? text_width(tick.label, number_style) / 2 : number_style.size / 2;
    const double middle = length * place(tick.value);
    if (middle - half < taken + 3)
      tick.label.clear();
    else
      taken = middle + half;
  }
  ticks_ = {std::move(ticks), 0};
  measure_numbers();
}

void Ruler::measure_numbers() {
  widest_number_ = 0;
  for (const Tick& tick : ticks_.ticks) widest_number_ = std::max(widest_number_, text_width(tick.label, number_style));
}

double Ruler::place(double value) const {
  if (scale_ != Scale::linear) return std::log(value / range_.low) / std::log(range_.high / range_.low);
  return (value / 2 - range_.low / 2) / (range_.high / 2 - range_.low / 2);  // halves avoid overflow of wide ranges
}

void Extent::add(double value) {
  if (!std::isfinite(value)) return;
  low_ = any_ ? std::min(low_, value) : value;
  high_ = any_ ? std::max(high_, value) : value;
  any_ = true;
}

Range Extent::range() const {
  if (!any_) return {0, 1};
  if (low_ < high_) return {low_, high_};
  const double half = low_ != 0 ? 0.1 * std::abs(low_) : 1;
  return {low_ - half, low_ + half};
}

Range Extent::padded(Scale scale) const {
  const auto [low, high] = range();
  if (scale != Scale::linear) {
    const double factor = std::pow(high / low, 0.04);
    return {low / factor, high * factor};
  }
  const double padding = 0.05 * (high - low);
  return {low >= 0 && low < 0.5 * high ? 0 : low - padding, high + padding};
}

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

/// Returns ticks at powers of the base, with as many numbers as fit.
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

/// Adds ticks at 2 to 9 times the powers of ten; 2 and 5 have numbers if they fit.
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
