#include "apps/solve/expression_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "base/expression.hpp"
#include "rafter/error.hpp"

namespace rafter::solve {

bool is_position_expression(const std::string& text) {
  try {
    const base::Expression expression(text);
    const std::vector<std::string>& names = expression.names();
    return !names.empty() && std::all_of(names.begin(), names.end(), [](const std::string& name) {
      return name == "x" || name == "y" || name == "z" || name == "pi";
    });
  } catch (const Error&) {
    return false;
  }
}

Field field_of_expression(const std::string& text, const GridShape& shape, const GridSpacing& spacing,
                          Precision precision) {
  const base::Expression expression(text);
  base::Names at{{"pi", std::numbers::pi}, {"x", 0}, {"y", 0}, {"z", 0}};
  double &x = at["x"], &y = at["y"], &z = at["z"];
  const auto centre = [](std::int64_t cell, double h) { return (static_cast<double>(cell) + 0.5) * h; };
  const auto value_in = [&](std::int64_t iz, std::int64_t iy, std::int64_t ix) {
    z = centre(iz, spacing.z);
    y = centre(iy, spacing.y);
    x = centre(ix, spacing.x);
    try {
      return expression.evaluate(at);
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("{}, in cell ({}, {}, {})", error.what(), iz, iy, ix));
    }
  };
  Field field = make_field(shape, precision);
  std::visit(
      [&](auto& values) {
        using T = typename std::remove_reference_t<decltype(values)>::value_type;
        auto to = values.begin();
        for (std::int64_t iz = 0; iz < shape.nz; ++iz) {
          for (std::int64_t iy = 0; iy < shape.ny; ++iy) {
            for (std::int64_t ix = 0; ix < shape.nx; ++ix) *to++ = static_cast<T>(value_in(iz, iy, ix));
          }
        }
      },
      field.values);
  return field;
}

}  // namespace rafter::solve
