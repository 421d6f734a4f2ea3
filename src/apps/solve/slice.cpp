#include "apps/solve/slice.hpp"

#include <fmt/format.h>

#include "rafter/error.hpp"

namespace rafter::solve {

namespace {

/// An axis of a grid: its letter, its cells, their spacing, and their stride in memory.
struct Axis {
  char letter;
  std::int64_t n;
  double spacing;
  std::int64_t stride;
};

std::vector<Axis> axes_of(const GridShape& shape, const GridSpacing& spacing) {
  return {{'z', shape.nz, spacing.z, shape.ny * shape.nx},
          {'y', shape.ny, spacing.y, shape.nx},
          {'x', shape.nx, spacing.x, 1}};
}

/// Removes the axis with this letter from the list and returns it.
Axis take(std::vector<Axis>& axes, char letter) {
  for (auto axis = axes.begin(); axis != axes.end(); ++axis) {
    if (axis->letter != letter) continue;
    const Axis taken = *axis;
    axes.erase(axis);
    return taken;
  }
  throw Error(ErrorCode::bad_argument, fmt::format("a slice is perpendicular to z, y or x, not '{}'", letter));
}

}  // namespace

std::int64_t cut_cell(const GridShape& shape, const Cut& cut) {
  auto axes = axes_of(shape, {});
  const Axis across = take(axes, cut.axis);
  const std::int64_t cell = cut.cell.value_or(across.n / 2);
  if (cell < 0 || cell >= across.n) {
    throw Error(ErrorCode::bad_argument, fmt::format("a slice at {}={} is outside the grid, whose cells are 0 to {}",
                                                     cut.axis, cell, across.n - 1));
  }
  return cell;
}

template <class T>
Slice slice_of(const FieldNote& note, std::span<const T> values, const Cut& cut) {
  auto axes = axes_of(note.shape, note.spacing);
  const Axis across = take(axes, cut.axis);
  const Axis& up = axes[0];
  const Axis& right = axes[1];
  Slice slice{across.letter, up.letter, right.letter, cut_cell(note.shape, cut), 0, up.n, right.n, 0, 0, {}};
  slice.position = (static_cast<double>(slice.cell) + 0.5) * across.spacing;
  slice.height = static_cast<double>(up.n) * up.spacing;
  slice.width = static_cast<double>(right.n) * right.spacing;
  slice.values.reserve(static_cast<std::size_t>(up.n * right.n));
  for (std::int64_t row = 0; row < up.n; ++row) {
    const std::int64_t start = slice.cell * across.stride + row * up.stride;
    for (std::int64_t column = 0; column < right.n; ++column) {
      slice.values.push_back(static_cast<double>(values[static_cast<std::size_t>(start + column * right.stride)]));
    }
  }
  return slice;
}

template Slice slice_of(const FieldNote&, std::span<const float>, const Cut&);
template Slice slice_of(const FieldNote&, std::span<const double>, const Cut&);

}  // namespace rafter::solve
