// A picture of a slice through a field: its values as colours, the colours' scale, the axes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "solve/field.hpp"
#include "solve/image.hpp"

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

/// The axis' extent and its cells; throws Error (bad_argument) when the cut is outside.
std::int64_t cut_cell(const GridShape& shape, const Cut& cut);

struct Range {
  double low = 0;
  double high = 0;
};

/// Where in the picture the slice is.
struct Plot {
  int x = 0, y = 0, width = 0, height = 0;
};
Plot plot_of(const Slice& slice);

/// The picture; its scale is `range`, or else the slice's own.
Image picture_of(const Slice& slice, const FieldNote& note, const std::optional<Range>& range);

}  // namespace rafter::solve
