// Slices of a field.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "apps/solve/field.hpp"

namespace rafter::solve {

/// The position of a slice.
struct Cut {
  char axis = 'z';                     ///< the axis perpendicular to the slice
  std::optional<std::int64_t> cell{};  ///< default: the middle
};

/// A slice: one layer of cells, with rows from bottom to top.
struct Slice {
  char across = 'z';
  char up = 'y';
  char right = 'x';
  std::int64_t cell = 0;
  double position = 0;  ///< coordinate of the cell centres along `across`
  std::int64_t n_rows = 0;
  std::int64_t n_columns = 0;
  double height = 0;
  double width = 0;
  std::vector<double> values;  // [n_rows, n_columns]
};

/// Returns a slice of a field. Throws Error (bad_argument) for an invalid cell or axis.
template <class T>
Slice slice_of(const FieldNote& note, std::span<const T> values, const Cut& cut);

/// Returns the cell of a cut. Throws Error (bad_argument) when it is outside of the grid.
std::int64_t cut_cell(const GridShape& shape, const Cut& cut);

}  // namespace rafter::solve
