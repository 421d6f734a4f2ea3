#include "solve/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rafter::solve {

Ticks ticks_of(double low, double high, int n) {
  const double rough = (high - low) / n;
  const double largest = std::max(std::abs(low), std::abs(high));
  if (!(rough > 0) || !std::isfinite(rough) || !(rough > 1e-14 * largest) || rough < 1e-300) return {};
  const double power = std::pow(10., std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5., 2., 1.}) {
    if (factor * power >= rough * 0.999) step = factor * power;
  }
  Ticks result;
  if (largest >= 1e5 || largest < 1e-3) result.exponent = static_cast<int>(std::floor(std::log10(largest)));
  const double unit = std::pow(10., result.exponent);
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step / unit) - 1e-9)));
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k += 1) {
    const double value = k * step;
    result.ticks.push_back({value, fmt::format("{:.{}f}", value == 0 ? 0. : value / unit, decimals)});
    if (result.ticks.size() > 100) return {};
  }
  return result;
}

}  // namespace rafter::solve
