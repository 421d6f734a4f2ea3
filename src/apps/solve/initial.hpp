// The fields a run may begin with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/solve/field.hpp"

namespace rafter::solve {

/// A field by name. Lengths are parts of the shortest side of the grid's box, not counting axes of one cell. Those that
/// are not given are chosen so that thin grids resolve them, too: two spacings at least.
struct Initial {
  enum class Kind {
    gaussian,    ///< amplitude * exp(-r^2 / (2 width^2)) around the middle
    hot_sphere,  ///< amplitude within the radius around the middle, 0 outside
    random,      ///< uniform from 0 to amplitude, each cell by (seed, cell)
  };
  Kind kind = Kind::gaussian;
  double amplitude = 1;
  std::optional<double> width{};   ///< nothing: 0.1
  std::optional<double> radius{};  ///< nothing: 0.25
  std::uint64_t seed = 0;
};

std::vector<std::string> initial_names();
std::optional<Initial::Kind> initial_called(const std::string& name);
std::string_view name(Initial::Kind kind) noexcept;

/// The width of a gaussian or the radius of a sphere on a grid, as a part of the side.
double length_on(const Initial& initial, const GridShape& shape, const GridSpacing& spacing);

Field initial_field(const Initial& initial, const GridShape& shape, const GridSpacing& spacing, Precision precision);

/// A field from FILE.npy, or from FILE.h5 or FILE.h5:DATASET (.hdf5, .hdf and .he5 too). Throws Error as their readers
/// do, and (bad_argument) for other names.
Field field_from_file(const std::string& file);

/// Whether `text` is the name of a file that field_from_file() would try.
bool names_a_field_file(const std::string& text);

}  // namespace rafter::solve
