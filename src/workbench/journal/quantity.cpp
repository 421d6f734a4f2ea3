#include "workbench/journal/quantity.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string_view>

#include "base/units.hpp"
#include "rafter/error.hpp"

namespace rafter::journal {

std::string Quantity::text() const { return is_factor() ? fmt::format("{:.4g}x", value) : base::show_time(value); }

Quantity parse_quantity(const std::string& option, const std::string& text) {
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  const bool is_number = status == std::errc() && std::isfinite(value) && value > 0;
  if (is_number && unit == "x") return {Quantity::Kind::factor, value};
  constexpr std::pair<const char*, double> units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
  for (const auto& [name, ns] : units) {
    if (is_number && unit == name) return {Quantity::Kind::time, value * ns};
  }
  throw Error(
      ErrorCode::bad_argument,
      fmt::format("{} takes a factor such as 5x or a time such as 36ms (ns, us, ms or s); got '{}'", option, text));
}

}  // namespace rafter::journal
