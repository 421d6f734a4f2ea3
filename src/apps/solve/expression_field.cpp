#include "apps/solve/expression_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "base/messages.hpp"
#include "library/core/parts.hpp"
#include "rafter/error.hpp"

namespace rafter::solve {

namespace {

constexpr std::array<std::string_view, 5> known_names{"z", "y", "x", "t", "pi"};

/// Returns the names of an expression if all are known; none for other texts.
std::optional<std::vector<std::string>> names_of(const std::string& text) {
  try {
    std::vector<std::string> names = base::Expression(text).names();
    const auto is_known = [](const std::string& name) {
      return std::find(known_names.begin(), known_names.end(), name) != known_names.end();
    };
    if (std::all_of(names.begin(), names.end(), is_known)) return names;
  } catch (const Error&) {
  }
  return std::nullopt;
}

bool has_time(const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), "t") != names.end();
}

}  // namespace

bool is_position_expression(const std::string& text) {
  const auto names = names_of(text);
  return names && !names->empty() && !has_time(*names);
}

bool is_time_expression(const std::string& text) {
  const auto names = names_of(text);
  return names && has_time(*names);
}

ExpressionValues::ExpressionValues(const std::string& text, const GridShape& shape, const GridSpacing& spacing)
    : expression_(text) {
  const std::array extents{shape.nz, shape.ny, shape.nx};
  const std::array spacings{spacing.z, spacing.y, spacing.x};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::int64_t i = 0; i < extents[axis]; ++i)
      coordinates_[axis].push_back((static_cast<double>(i) + 0.5) * spacings[axis]);
  }
  for (const std::string& name : expression_.names()) {
    if (std::find(known_names.begin(), known_names.end(), name) == known_names.end()) {
      throw Error(ErrorCode::bad_argument,
                  fmt::format("'{}': {}", text,
                              base::unknown_name("name", name, std::vector<std::string>{"x", "y", "z", "t", "pi"})));
    }
  }
}

ExpressionValues::ExpressionValues(const std::string& text, const GridShape& shape, const GridSpacing& spacing,
                                   int axis, GridSide side)
    : ExpressionValues(text, shape, spacing) {
  const double length = std::array{static_cast<double>(shape.nz) * spacing.z, static_cast<double>(shape.ny) * spacing.y,
                                   static_cast<double>(shape.nx) * spacing.x}[static_cast<std::size_t>(axis)];
  coordinates_[static_cast<std::size_t>(axis)] = {side == GridSide::low ? 0 : length};
}

template <class T>
void ExpressionValues::operator()(double time, std::span<T> values) const {
  const auto& [zs, ys, xs] = coordinates_;
  const std::size_t n_y = ys.size(), n_x = xs.size();
  const double pi = std::numbers::pi;
  const auto of_row = [&, &z_values = zs, &y_values = ys, &x_values = xs](std::int64_t row) {
    const auto at = static_cast<std::size_t>(row);
    const std::array<std::span<const double>, 5> all{
        std::span(&z_values[at / n_y], 1), {&y_values[at % n_y], 1}, std::span(x_values), {&time, 1}, {&pi, 1}};
    std::vector<std::span<const double>> named;
    for (const std::string& name : expression_.names()) {
      const auto found = std::find(known_names.begin(), known_names.end(), name);
      named.push_back(all[static_cast<std::size_t>(found - known_names.begin())]);
    }
    std::vector<double> results(n_x);
    expression_.evaluate_many(named, results);
    std::transform(results.begin(), results.end(), values.begin() + std::ssize(results) * row,
                   [](double value) { return static_cast<T>(value); });
  };
  core::for_each_index(core::default_threads(), static_cast<std::int64_t>(zs.size() * n_y), of_row);
  const auto bad = std::find_if(values.begin(), values.end(), [](T value) { return !std::isfinite(value); });
  if (bad == values.end()) return;
  const auto at = static_cast<std::size_t>(bad - values.begin());
  throw Error(ErrorCode::bad_argument,
              fmt::format("'{}' is not a finite number: {}, in cell ({}, {}, {}){}", expression_.text(), *bad,
                          at / n_x / n_y, at / n_x % n_y, at % n_x, time == 0 ? "" : fmt::format(", at {:g}", time)));
}

template void ExpressionValues::operator()(double, std::span<float>) const;
template void ExpressionValues::operator()(double, std::span<double>) const;

Field field_of_expression(const std::string& text, const GridShape& shape, const GridSpacing& spacing,
                          Precision precision) {
  const ExpressionValues expression(text, shape, spacing);
  Field field = make_field(shape, precision);
  std::visit([&](auto& values) { expression(0, std::span(values)); }, field.values);
  return field;
}

}  // namespace rafter::solve
