// The checks of a problem before a solver starts; each throws Error (bad_argument) for `op`.
#pragma once

#include <array>
#include <span>
#include <string>

#include "library/core/arguments.hpp"
#include "rafter/heat.hpp"

namespace rafter::heat_ladder {

/// The axes (z, y, x) along which differences are taken.
using ActiveAxes = std::array<bool, 3>;
inline constexpr ActiveAxes all_axes{true, true, true};

double default_dt(const char* op, const HeatProblem& problem, const ActiveAxes& axes);
double largest_dt(const char* op, const HeatProblem& problem, const ActiveAxes& axes);

/// The diffusivities between cells that are interpolated with an order above 2 exceed those of cells by at most this
/// factor.
inline constexpr double interpolated_excess = 1.25;
/// Returns the largest time step with diffusivities between cells.
double largest_dt_of_diffusivities(const char* op, const HeatProblem& problem, const ActiveAxes& axes);

/// Returns the problem with its time step; throws if it has none that is stable.
HeatProblem with_dt(const char* op, HeatProblem problem, const ActiveAxes& axes);

std::string text(const GridShape& shape);

/// Checks that there are at least `least` cells along each axis, and not too many in all.
void require_extents(const char* op, const GridShape& shape, std::int64_t least, const std::string& why);

/// Checks that the field is contiguous; a pitched field has more elements than cells.
template <class T>
void require_contiguous(const char* op, const char* argument, std::span<T> field, const GridShape& shape) {
  if (std::ssize(field) == shape.n_cells()) return;
  core::refuse(op, argument,
               "must be contiguous: " + std::to_string(shape.n_cells()) + " elements, " + text(shape) +
                   " without anything between rows; has " + std::to_string(field.size()));
}

}  // namespace rafter::heat_ladder
