// Initial fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/solve/field.hpp"

namespace rafter::solve {

/// A predefined field. Lengths are fractions of the grid's shortest side, ignoring axes of one cell. Default lengths
/// are at least two spacings, so that thin grids resolve them.
struct Initial {
  enum class Kind {
    gaussian,    ///< amplitude * exp(-r^2 / (2 width^2)) around the centre
    hot_sphere,  ///< amplitude within the radius around the centre, 0 outside
    random,      ///< uniform from 0 to amplitude, a function of seed and cell
  };
  Kind kind = Kind::gaussian;
  double amplitude = 1;
  std::optional<double> width{};   ///< default: 0.1
  std::optional<double> radius{};  ///< default: 0.25
  std::uint64_t seed = 0;
};

std::vector<std::string> initial_names();
std::optional<Initial::Kind> initial_called(const std::string& name);
std::string_view name(Initial::Kind kind) noexcept;

/// Returns the width of a gaussian or the radius of a sphere on a grid, as a fraction of the side.
double length_on(const Initial& initial, const GridShape& shape, const GridSpacing& spacing);

Field initial_field(const Initial& initial, const GridShape& shape, const GridSpacing& spacing, Precision precision);

/// Reads a field from FILE.npy, FILE.h5 or FILE.h5:DATASET (also .hdf5, .hdf and .he5). Throws Error like their
/// readers, and (bad_argument) for other names.
Field field_from_file(const std::string& file);

/// Returns whether `text` is a file name that field_from_file() accepts.
bool names_a_field_file(const std::string& text);

}  // namespace rafter::solve
