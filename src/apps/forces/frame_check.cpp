#include "apps/forces/frame_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "apps/forces/elements.hpp"

namespace rafter::forces {

namespace {

using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double length(const Vector& a) { return std::sqrt(dot(a, a)); }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector scaled(const Vector& a, double factor) { return {a[0] * factor, a[1] * factor, a[2] * factor}; }
Vector sum(const Vector& a, const Vector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vector unit(const Vector& a) { return scaled(a, 1 / length(a)); }

/// Returns a vector perpendicular to `a`, from the axis most perpendicular to it.
Vector across(const Vector& a) {
  std::size_t axis = 0;
  for (std::size_t i = 1; i < 3; ++i) {
    if (std::abs(a[i]) < std::abs(a[axis])) axis = i;
  }
  Vector other{};
  other[axis] = 1;
  return unit(cross(a, other));
}

/// The vectors of a cell, with perpendicular unit vectors where it does not repeat, and the distances of its planes.
class Lattice {
 public:
  explicit Lattice(const UnitCell& cell) : vectors_(cell.vectors) {
    const auto n_periodic = std::count(cell.is_periodic.begin(), cell.is_periodic.end(), true);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      if (n_periodic == 2 && !cell.is_periodic[i]) vectors_[i] = unit(cross(vectors_[j], vectors_[k]));
      if (n_periodic != 1 || !cell.is_periodic[i]) continue;
      vectors_[j] = across(vectors_[i]);
      vectors_[k] = unit(cross(vectors_[i], vectors_[j]));
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const Vector normal = cross(vectors_[(i + 1) % 3], vectors_[(i + 2) % 3]);
      const double volume = dot(vectors_[i], normal);
      heights_[i] = std::abs(volume) / length(normal);
      reciprocal_[i] = scaled(normal, 1 / volume);
    }
  }

  const Vector& vector(std::size_t axis) const { return vectors_[axis]; }
  double height(std::size_t axis) const { return heights_[axis]; }
  /// Returns the coordinate along the axis, in units of its vector.
  double fraction(const Vector& place, std::size_t axis) const { return dot(reciprocal_[axis], place); }

 private:
  std::array<Vector, 3> vectors_;
  std::array<Vector, 3> reciprocal_{};
  Vector heights_{};
};

Vector place_of(const Frame& frame, std::int64_t atom) {
  const double* p = frame.positions.data() + 3 * atom;
  return {p[0], p[1], p[2]};
}

struct Place {
  Vector at{};
  std::int64_t atom = 0;
  double key = 0;  // position along a direction that is not a lattice direction of any crystal
};

/// Returns the positions of all atoms. Atoms of a periodic cell are wrapped into it, and those near its lower faces are
/// repeated beyond the upper ones.
std::vector<Place> places_of(const Frame& frame) {
  std::vector<Place> places;
  for (std::int64_t atom = 0; atom < frame.n_atoms(); ++atom) places.push_back({place_of(frame, atom), atom});
  if (!frame.cell || !frame.cell->repeats()) return places;
  const Lattice lattice(*frame.cell);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!frame.cell->is_periodic[axis]) continue;
    for (std::size_t i = 0, n = places.size(); i < n; ++i) {
      const double fraction = lattice.fraction(places[i].at, axis), cells = std::floor(fraction);
      places[i].at = sum(places[i].at, scaled(lattice.vector(axis), -cells));
      if ((fraction - cells) * lattice.height(axis) > least_distance) continue;
      places.push_back({sum(places[i].at, lattice.vector(axis)), places[i].atom});
    }
  }
  return places;
}

/// Finds two coincident atoms. Sorting along one direction makes near atoms adjacent.
std::optional<FrameFault> coincidence_in(const Frame& frame) {
  const Vector direction = unit({0.7548776662, 0.5698402910, 0.3247179572});
  std::vector<Place> places = places_of(frame);
  for (Place& place : places) place.key = dot(direction, place.at);
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.key < b.key; });
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = i + 1; j < places.size() && places[j].key - places[i].key <= least_distance; ++j) {
      const double distance = length(sum(places[i].at, scaled(places[j].at, -1)));
      const auto [first, second] = std::minmax(places[i].atom, places[j].atom);
      if (distance > least_distance || first == second) continue;
      return FrameFault{frame.line_of(second), fmt::format("atoms {} and {} coincide: they are {:.2g} Angstrom apart",
                                                           first + 1, second + 1, distance)};
    }
  }
  return std::nullopt;
}

std::optional<FrameFault> too_far(std::int64_t line, const Vector& place) {
  for (const double x : place) {
    if (std::abs(x) > farthest)
      return FrameFault{line, fmt::format("a coordinate is {:g} Angstrom; expected at most {:g}", x, farthest)};
  }
  return std::nullopt;
}

std::optional<FrameFault> cell_fault_of(const Frame& frame) {
  if (!frame.cell || !frame.cell->repeats()) return std::nullopt;
  for (const Vector& vector : frame.cell->vectors) {
    if (auto fault = too_far(frame.line + 1, vector)) return fault;
  }
  const Lattice lattice(*frame.cell);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!frame.cell->is_periodic[axis] || lattice.height(axis) >= least_height) continue;
    const double height = std::isfinite(lattice.height(axis)) ? lattice.height(axis) : 0;
    return FrameFault{frame.line + 1,
                      fmt::format("the cell has no volume: along vector {} it is {:.2g} Angstrom high, expected {} "
                                  "or more",
                                  axis + 1, height, least_height)};
  }
  return std::nullopt;
}

}  // namespace

double volume_of(const UnitCell& cell) {
  return std::abs(dot(cell.vectors[0], cross(cell.vectors[1], cell.vectors[2])));
}

std::optional<FrameFault> fault_of(const Frame& frame, std::int64_t n_elements) {
  for (std::int64_t atom = 0; atom < frame.n_atoms(); ++atom) {
    const std::int32_t element = frame.elements[static_cast<std::size_t>(atom)];
    if (element >= n_elements) {
      return FrameFault{frame.line_of(atom),
                        fmt::format("the model does not support element {} ({}); expected atomic numbers below {}",
                                    symbol_of(element), element, n_elements)};
    }
    if (auto fault = too_far(frame.line_of(atom), place_of(frame, atom))) return fault;
  }
  if (auto fault = cell_fault_of(frame)) return fault;
  return coincidence_in(frame);
}

}  // namespace rafter::forces
