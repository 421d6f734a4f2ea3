#include "apps/solve/initial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "apps/solve/hdf5_field.hpp"
#include "apps/solve/npy.hpp"
#include "library/core/parts.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/data/generate.hpp"

namespace rafter::solve {

namespace {

constexpr std::array<std::string_view, 3> initial_words{"gaussian", "hot-sphere", "random"};
constexpr std::array<std::string_view, 4> hdf5_endings{".h5", ".hdf5", ".hdf", ".he5"};

/// The value of a cell, as a function of its index and its squared distance from the centre.
class Value {
 public:
  Value(const Initial& initial, double length)
      : initial_(initial), exponent_(-0.5 / (length * length)), square_(length * length) {}

  double operator()(std::int64_t cell, double r2) const {
    switch (initial_.kind) {
      case Initial::Kind::gaussian: return initial_.amplitude * std::exp(exponent_ * r2);
      case Initial::Kind::hot_sphere: return r2 <= square_ ? initial_.amplitude : 0;
      default: return initial_.amplitude * 0x1p-53 * static_cast<double>(lab::random_bits(initial_.seed, cell) >> 11);
    }
  }

 private:
  Initial initial_;
  double exponent_;
  double square_;
};

/// The extents of the axes with more than one cell, or of all axes if there are none.
struct Sides {
  double shortest = INFINITY;
  double widest_cell = 0;

  Sides(const GridShape& shape, const GridSpacing& spacing) {
    for (const auto& [n, h] : {std::pair(shape.nz, spacing.z), {shape.ny, spacing.y}, {shape.nx, spacing.x}}) {
      if (n == 1 && shape.n_cells() > 1) continue;
      shortest = std::min(shortest, static_cast<double>(n) * h);
      widest_cell = std::max(widest_cell, h);
    }
  }
};

struct NamedFile {
  std::string path;
  std::string dataset;
};

/// Splits FILE.h5:DATASET; nullopt if it is not the name of an HDF5 file.
std::optional<NamedFile> hdf5_name(const std::string& text) {
  for (const std::string_view end : hdf5_endings) {
    if (text.ends_with(end)) return NamedFile{text, ""};
    const auto colon = text.rfind(std::string(end) + ":");
    if (colon != std::string::npos) {
      return NamedFile{text.substr(0, colon + end.size()), text.substr(colon + end.size() + 1)};
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> initial_names() { return {initial_words.begin(), initial_words.end()}; }

std::optional<Initial::Kind> initial_called(const std::string& wanted) {
  const auto found = std::find(initial_words.begin(), initial_words.end(), wanted);
  if (found == initial_words.end()) return std::nullopt;
  return static_cast<Initial::Kind>(found - initial_words.begin());
}

std::string_view name(Initial::Kind kind) noexcept { return initial_words[static_cast<std::size_t>(kind)]; }

double length_on(const Initial& initial, const GridShape& shape, const GridSpacing& spacing) {
  const bool is_sphere = initial.kind == Initial::Kind::hot_sphere;
  const Sides sides(shape, spacing);
  const auto& given = is_sphere ? initial.radius : initial.width;
  return given.value_or(std::max(is_sphere ? 0.25 : 0.1, 2 * sides.widest_cell / sides.shortest));
}

Field initial_field(const Initial& initial, const GridShape& shape, const GridSpacing& spacing, Precision precision) {
  const auto [nz, ny, nx] = shape;
  const Value value(initial, length_on(initial, shape, spacing) * Sides(shape, spacing).shortest);
  const auto square = [](std::int64_t i, std::int64_t n, double h) {
    const double distance = (static_cast<double>(i) - 0.5 * static_cast<double>(n - 1)) * h;
    return distance * distance;
  };
  Field field = make_field(shape, precision);
  std::visit(
      [&, ny = ny, nx = nx](auto& values) {
        using T = typename std::remove_reference_t<decltype(values)>::value_type;
        const std::int64_t n_rows = shape.nz * ny;
        core::for_each_index(core::default_threads(), n_rows, [&](std::int64_t row) {
          const double zy = square(row / ny, shape.nz, spacing.z) + square(row % ny, ny, spacing.y);
          for (std::int64_t x = 0; x < nx; ++x) {
            const std::int64_t cell = row * nx + x;
            values[static_cast<std::size_t>(cell)] = static_cast<T>(value(cell, zy + square(x, nx, spacing.x)));
          }
        });
      },
      field.values);
  return field;
}

bool names_a_field_file(const std::string& text) { return text.ends_with(".npy") || hdf5_name(text); }

Field field_from_file(const std::string& file) {
  if (file.ends_with(".npy")) return read_npy(file);
  if (const auto parts = hdf5_name(file)) return read_hdf5(parts->path, parts->dataset);
  throw Error(ErrorCode::bad_argument, fmt::format("'{}' is not a field file; expected FILE.npy or FILE.h5", file));
}

}  // namespace rafter::solve
