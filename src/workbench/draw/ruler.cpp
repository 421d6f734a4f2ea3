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

/// Those within the range; a label that would touch the one before it goes.
void Ruler::take_ticks(std::vector<Tick> ticks, double length, Direction direction) {
  std::erase_if(ticks, [&](const Tick& tick) { return !(tick.value >= range_.low && tick.value <= range_.high); });
  std::sort(ticks.begin(), ticks.end(), [](const Tick& a, const Tick& b) { return a.value < b.value; });
  double taken = -1e9;  // up to here, in points
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
  return (value / 2 - range_.low / 2) /
         (range_.high / 2 - range_.low / 2);  // halves: no range is too wide for a double
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
  const double room = 0.05 * (high - low);
  return {low >= 0 && low < 0.5 * high ? 0 : low - room, high + room};
}

}  // namespace rafter::draw
