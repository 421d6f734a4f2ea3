#include "apps/solve/option_values.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "base/messages.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/workload/params.hpp"

namespace rafter::solve {

namespace {

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// Splits a list into its parts for z, y and x: "64", "48,64" or "32,48,64", also separated by x. Two parts describe a
/// flat grid, whose z is `flat`.
std::vector<std::string> by_axis(const char* option, std::string text, const char* expected, const char* flat) {
  for (char& c : text) c = c == 'x' ? ',' : c;
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == ',') parts.emplace_back();
    if (c != ',') parts.back() += c;
  }
  if (parts.size() == 1) return {parts[0], parts[0], parts[0]};
  if (parts.size() == 2) return {flat, parts[0], parts[1]};
  if (parts.size() != 3) refuse(fmt::format("{} takes {}, not '{}'", option, expected, text));
  return parts;
}

}  // namespace

double parse_real(const char* option, std::string_view text) {
  const auto value = number_in(text);
  if (!value) refuse(fmt::format("{}: '{}' is not a number", option, text));
  return *value;
}

double parse_positive(const char* option, const std::string& text, double standard) {
  if (text.empty()) return standard;
  const double value = parse_real(option, text);
  if (!(value > 0)) refuse(fmt::format("{} must be positive, is {}", option, text));
  return value;
}

std::int64_t parse_count(const char* option, const std::string& text, std::int64_t least) {
  try {
    const std::int64_t value = lab::parse_integer(text);
    if (value < least) refuse(fmt::format("must be at least {}, is {}", least, value));
    return value;
  } catch (const Error& error) {
    refuse(fmt::format("{}: {}", option, error.what()));
  }
}

GridShape parse_grid(const std::string& text) {
  const auto parts = by_axis("--grid", text, "N, NY,NX or NZ,NY,NX", "1");
  const GridShape shape{parse_count("--grid", parts[0], 1), parse_count("--grid", parts[1], 1),
                        parse_count("--grid", parts[2], 1)};
  std::int64_t bytes = 64;  // more than a cell takes in all
  for (const std::int64_t n : {shape.nz, shape.ny, shape.nx}) {
    if (__builtin_mul_overflow(bytes, n, &bytes)) refuse(fmt::format("--grid {} has too many cells", text));
  }
  return shape;
}

GridSpacing parse_spacing(const std::string& text) {
  const auto parts = by_axis("--spacing", text, "H, HY,HX or HZ,HY,HX", "1");
  return {parse_positive("--spacing", parts[0], 1), parse_positive("--spacing", parts[1], 1),
          parse_positive("--spacing", parts[2], 1)};
}

int parse_order(const std::string& text) {
  if (text == "2" || text == "4" || text == "6" || text == "8") return text[0] - '0';
  refuse(fmt::format("--order is 2, 4, 6 or 8, not '{}'", text));
}

Precision parse_precision(const std::string& text) {
  if (const auto precision = precision_called(text)) return *precision;
  refuse(base::unknown_name("dtype", text, std::vector<std::string>{"float32", "float64"}));
}

FieldFormat parse_format(const std::string& text) {
  if (text.empty() || text == "hdf5") return FieldFormat::hdf5;
  if (text == "npy") return FieldFormat::npy;
  if (text == "hdf5+mesh") return FieldFormat::mesh;
  refuse(base::unknown_name("format", text, std::vector<std::string>{"hdf5", "npy", "hdf5+mesh"}));
}

Cut parse_slice(const std::string& text) {
  if (text.empty()) return {};
  const bool has_axis = text[0] == 'x' || text[0] == 'y' || text[0] == 'z';
  if (!has_axis || (text.size() > 1 && text[1] != '=')) {
    refuse(fmt::format("--slice takes an axis, and a cell or the middle: z, y=12 or x=0; not '{}'", text));
  }
  if (text.size() == 1) return {text[0], std::nullopt};
  return {text[0], parse_count("--slice", text.substr(2), 0)};
}

std::optional<draw::Range> parse_range(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto comma = text.find(',');
  if (comma == std::string::npos) refuse(fmt::format("--range takes LOW,HIGH, not '{}'", text));
  const draw::Range range{parse_real("--range", text.substr(0, comma)), parse_real("--range", text.substr(comma + 1))};
  if (!(range.low < range.high)) refuse(fmt::format("--range takes LOW,HIGH with LOW below HIGH, not '{}'", text));
  return range;
}

CheckpointPlan parse_checkpoint(const std::string& path, const std::string& every) {
  CheckpointPlan plan{.path = path};
  if (every.empty()) return plan;
  const std::string units = "smh";
  const auto unit = units.find(every.back());
  if (unit == std::string::npos) {
    plan.every_steps = parse_count("--checkpoint-every", every, 1);
    return plan;
  }
  constexpr double seconds[] = {1, 60, 3600};
  plan.every_s = parse_positive("--checkpoint-every", every.substr(0, every.size() - 1), 0) * seconds[unit];
  return plan;
}

}  // namespace rafter::solve
