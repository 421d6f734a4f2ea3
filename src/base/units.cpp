#include "base/units.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <ctime>

namespace rafter::base {

namespace {

// Formats a value from 1 to 999 with three significant digits.
std::string three_digits(double value) {
  return value < 9.995   ? fmt::format("{:.2f}", value)
         : value < 99.95 ? fmt::format("{:.1f}", value)
                         : fmt::format("{:.0f}", value);
}

}  // namespace

std::string show_time(double ns) {
  if (ns < 999.5) return three_digits(ns) + " ns";
  if (ns < 999.5e3) return three_digits(ns * 1e-3) + " us";
  if (ns < 999.5e6) return three_digits(ns * 1e-6) + " ms";
  return three_digits(ns * 1e-9) + " s";
}

std::string show_duration(double seconds) {
  const auto s = static_cast<std::int64_t>(std::ceil(seconds));
  if (s < 100) return fmt::format("{} s", s);
  if (s < 6000) return fmt::format("{}:{:02} min", s / 60, s % 60);
  return fmt::format("{}:{:02} h", s / 3600, s / 60 % 60);
}

std::string show_rate(double per_second, const char* unit) {
  constexpr const char* prefixes[] = {"", "k", "M", "G", "T", "P"};
  std::size_t prefix = 0;
  while (per_second >= 999.5 && prefix + 1 < std::size(prefixes)) {
    per_second *= 1e-3;
    ++prefix;
  }
  if (prefix == 0 && *unit == ' ') ++unit;
  return fmt::format("{} {}{}", three_digits(per_second), prefixes[prefix], unit);
}

std::string show_bytes(double bytes) { return show_rate(bytes, "B"); }

std::string show_count(std::int64_t count) {
  const auto bits = static_cast<std::uint64_t>(count);
  if (count >= 1024 && std::has_single_bit(bits)) return fmt::format("2^{}", std::countr_zero(bits));
  return std::to_string(count);
}

std::string show_ratio(double ratio) { return three_digits(ratio) + "x"; }

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace rafter::base
