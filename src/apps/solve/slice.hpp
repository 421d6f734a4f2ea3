// A layer of cells out of a field.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "apps/solve/field.hpp"

namespace rafter::solve {

/// Where to cut.
struct Cut {
  char axis = 'z';                     ///< the one that the slice is across
  std::optional<std::int64_t> cell{};  ///< nothing: the middle
};

/// A layer of cells. Rows go up.
struct Slice {
  char across = 'z';
  char up = 'y';
  char right = 'x';
  std::int64_t cell = 0;
  double position = 0;  ///< of its cells' middles along `across`
  std::int64_t n_rows = 0;
  std::int64_t n_columns = 0;
  double height = 0;
  double width = 0;
  std::vector<double> values;  // [n_rows, n_columns]
};

/// Throws Error (bad_argument) for a cell or an axis that is not there.
template <class T>
Slice slice_of(const FieldNote& note, std::span<const T> values, const Cut& cut);

/// The cell that is meant; throws Error (bad_argument) when the cut is outside.
std::int64_t cut_cell(const GridShape& shape, const Cut& cut);

}  // namespace rafter::solve
