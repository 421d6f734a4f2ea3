#include "workbench/plot/axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rafter::plot {

namespace {

/// Returns a range slightly larger than the data and at least a factor of four, so that it contains some round numbers.
draw::Range logarithmic_range(draw::Range data) {
  const double ratio = data.high / data.low;
  const double missing = std::max({1.12, std::pow(ratio, 0.04), std::sqrt(4 / ratio)});
  return {data.low / missing, data.high * missing};
}

/// Returns ticks with labels at 1, 2 and 5 times powers of ten, or at the powers alone if there are three or more;
/// without labels at 2 to 9 times.
std::vector<draw::Tick> decimal_ticks(draw::Range range, std::string (*words)(double)) {
  const int first = static_cast<int>(std::floor(std::log10(range.low)));
  const int last = static_cast<int>(std::ceil(std::log10(range.high)));
  int n_powers = 0;
  for (int k = first; k <= last; ++k) n_powers += std::pow(10., k) >= range.low && std::pow(10., k) <= range.high;
  std::vector<draw::Tick> ticks;
  for (int k = first; k <= last; ++k) {
    for (int digit = 1; digit < 10; ++digit) {
      const bool has_words = digit == 1 || (n_powers < 3 && (digit == 2 || digit == 5));
      const double value = digit * std::pow(10., k);
      ticks.push_back({value, has_words ? words(value) : ""});
    }
  }
  return ticks;
}

}  // namespace

bool is_positive(double number) { return std::isfinite(number) && number > 0; }

draw::Axis logarithmic_axis(draw::Range data, std::string (*words)(double)) {
  const draw::Range range = logarithmic_range(data);
  return {.scale = draw::Scale::log10, .range = range, .ticks = decimal_ticks(range, words)};
}

std::string time_words(double ns) {
  constexpr const char* units[] = {"ns", "us", "ms", "s"};
  std::size_t unit = 0;
  for (; ns >= 999 && unit + 1 < std::size(units); ns *= 1e-3) ++unit;
  return fmt::format("{:.4g} {}", ns, units[unit]);
}

std::string ratio_words(double ratio) { return fmt::format("{:.4g}x", ratio); }

std::string rate_words(double per_second) {
  constexpr const char* units[] = {"", " k", " M", " G", " T", " P"};
  std::size_t unit = 0;
  for (; per_second >= 999 && unit + 1 < std::size(units); per_second *= 1e-3) ++unit;
  return fmt::format("{:.4g}{}", per_second, units[unit]);
}

std::string plain_words(double number) {
  const double power = std::log10(number);
  if (number > 999 && power == std::round(power)) return fmt::format("10^{:.0f}", power);
  return fmt::format("{:.4g}", number);
}

}  // namespace rafter::plot
