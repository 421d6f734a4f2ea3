// Fields given by an expression of the position, such as "exp(-(x-0.5)^2/0.01)", and of the time.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "apps/solve/field.hpp"
#include "base/expression.hpp"
#include "rafter/conduction.hpp"

namespace rafter::solve {

/// Whether the text is an expression (base/expression.hpp) of x, y and z, and perhaps pi. A plain number is not.
bool is_position_expression(const std::string& text);

/// Whether the text is an expression of t, and perhaps x, y, z and pi.
bool is_time_expression(const std::string& text);

/// The values of an expression of x, y, z and t at the centres of cells, or of cells of a face of the grid, in units of
/// the spacing's length: (cell + 1/2) * spacing.
class ExpressionValues {
 public:
  /// Throws Error (bad_argument) for a syntax error or another name.
  ExpressionValues(const std::string& text, const GridShape& shape, const GridSpacing& spacing);
  /// At a face of axis 0 (z), 1 (y) or 2 (x).
  ExpressionValues(const std::string& text, const GridShape& shape, const GridSpacing& spacing, int axis,
                   GridSide side);

  /// Writes the values, [z, y, x]. Throws Error (bad_argument) with the place of one that is not finite.
  template <class T>
  void operator()(double time, std::span<T> values) const;

 private:
  base::Expression expression_;
  std::array<std::vector<double>, 3> coordinates_;  // along z, y, x
};

/// Returns the field of an expression at time 0. Throws Error (bad_argument) with the place of a value that is not
/// finite.
Field field_of_expression(const std::string& text, const GridShape& shape, const GridSpacing& spacing,
                          Precision precision);

}  // namespace rafter::solve
