#include "cli/solve/words.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "base/messages.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/workload/params.hpp"

namespace rafter::cli {

namespace {

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// One, two or three parts for z, y, x: "64", "48,64" or "32,48,64", also with x between them. Two are of a flat grid,
/// whose z is `flat`.
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

double real(const char* option, std::string_view text) {
  const auto value = number(text);
  if (!value) refuse(fmt::format("{}: '{}' is not a number", option, text));
  return *value;
}

double positive(const char* option, const std::string& text, double standard) {
  if (text.empty()) return standard;
  const double value = real(option, text);
  if (!(value > 0)) refuse(fmt::format("{} must be positive, is {}", option, text));
  return value;
}

std::int64_t count(const char* option, const std::string& text, std::int64_t least) {
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
  const GridShape shape{count("--grid", parts[0], 1), count("--grid", parts[1], 1), count("--grid", parts[2], 1)};
  std::int64_t bytes = 64;  // more than a cell takes in all
  for (const std::int64_t n : {shape.nz, shape.ny, shape.nx}) {
    if (__builtin_mul_overflow(bytes, n, &bytes)) refuse(fmt::format("--grid {} has more cells than can be", text));
  }
  return shape;
}

GridSpacing parse_spacing(const std::string& text) {
  const auto parts = by_axis("--spacing", text, "H, HY,HX or HZ,HY,HX", "1");
  return {positive("--spacing", parts[0], 1), positive("--spacing", parts[1], 1), positive("--spacing", parts[2], 1)};
}

int parse_order(const std::string& text) {
  if (text == "2" || text == "4" || text == "6" || text == "8") return text[0] - '0';
  refuse(fmt::format("--order is 2, 4, 6 or 8, not '{}'", text));
}

solve::Precision parse_precision(const std::string& text) {
  if (const auto precision = solve::precision_called(text)) return *precision;
  refuse(base::unknown_name("dtype", text, std::vector<std::string>{"float32", "float64"}));
}

solve::FieldFormat parse_format(const std::string& text) {
  if (text.empty() || text == "hdf5") return solve::FieldFormat::hdf5;
  if (text == "npy") return solve::FieldFormat::npy;
  if (text == "hdf5+mesh") return solve::FieldFormat::mesh;
  refuse(base::unknown_name("format", text, std::vector<std::string>{"hdf5", "npy", "hdf5+mesh"}));
}

solve::Cut parse_slice(const std::string& text) {
  if (text.empty()) return {};
  const bool has_axis = text[0] == 'x' || text[0] == 'y' || text[0] == 'z';
  if (!has_axis || (text.size() > 1 && text[1] != '=')) {
    refuse(fmt::format("--slice takes an axis, and a cell or the middle: z, y=12 or x=0; not '{}'", text));
  }
  if (text.size() == 1) return {text[0], std::nullopt};
  return {text[0], count("--slice", text.substr(2), 0)};
}

std::optional<draw::Range> parse_range(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto comma = text.find(',');
  if (comma == std::string::npos) refuse(fmt::format("--range takes LOW,HIGH, not '{}'", text));
  const draw::Range range{real("--range", text.substr(0, comma)), real("--range", text.substr(comma + 1))};
  if (!(range.low < range.high)) refuse(fmt::format("--range takes LOW,HIGH with LOW below HIGH, not '{}'", text));
  return range;
}

/// "500" is steps; "90s", "10m" and "2h" are time.
solve::CheckpointPlan parse_checkpoint(const std::string& path, const std::string& every) {
  solve::CheckpointPlan plan{.path = path};
  if (every.empty()) return plan;
  const std::string units = "smh";
  const auto unit = units.find(every.back());
  if (unit == std::string::npos) {
    plan.every_steps = count("--checkpoint-every", every, 1);
    return plan;
  }
  constexpr double seconds[] = {1, 60, 3600};
  plan.every_s = positive("--checkpoint-every", every.substr(0, every.size() - 1), 0) * seconds[unit];
  return plan;
}

}  // namespace rafter::cli
