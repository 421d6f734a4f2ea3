// Fields given by an expression of the position, such as "exp(-(x-0.5)^2/0.01)".
#pragma once

#include <string>

#include "apps/solve/field.hpp"

namespace rafter::solve {

/// Whether the text is an expression (base/expression.hpp) of x, y and z, and perhaps pi. A plain number is not.
bool is_position_expression(const std::string& text);

/// Returns the field of an expression. x, y and z are the coordinates of a cell's centre, in units of the spacing's
/// length: (cell + 1/2) * spacing. Throws Error (bad_argument) with the cell for a value that is not finite.
Field field_of_expression(const std::string& text, const GridShape& shape, const GridSpacing& spacing,
                          Precision precision);

}  // namespace rafter::solve
