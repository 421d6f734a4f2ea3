// Text form of boundary conditions: "frozen", or "zero-flux,x-=value:400*sin(t),y=periodic".
#pragma once

#include <array>
#include <optional>
#include <string>

#include "rafter/conduction.hpp"

namespace rafter::solve {

/// The conditions at all faces, some of which depend on the position or the time.
struct SolveFaces : HeatFaces {
  using Expressions = std::array<std::string, 3>;
  Expressions low_expressions{}, high_expressions{};  ///< instead of the face's amount; empty: it is a number

  /// Sets conditions that are all numbers.
  SolveFaces& operator=(const HeatFaces& faces) {
    *this = SolveFaces{faces, {}, {}};
    return *this;
  }
  bool has_expressions() const { return low_expressions != Expressions{} || high_expressions != Expressions{}; }

  friend bool operator==(const SolveFaces&, const SolveFaces&) = default;
};

/// Parses comma-separated parts; later ones override earlier ones. KIND applies to all faces, z=KIND to both faces of
/// an axis, z-=KIND and z+=KIND to the face at the low and the high end. Kinds: frozen, periodic, zero-flux,
/// value:G, flux:F, robin:H:U; H is a number, G, F and U are numbers or expressions of x, y, z and t. Other faces are
/// frozen. Throws Error (bad_argument) with what was expected.
SolveFaces parse_faces(const std::string& text);

/// Returns the shortest text that parse_faces() reads back exactly.
std::string show_faces(const SolveFaces& faces);

/// Returns a description for users, including the depth of a frozen layer, which is the stencil radius.
std::string describe_faces(const SolveFaces& faces, int radius);

/// Returns the HeatBoundary that all faces have, if any.
std::optional<HeatBoundary> plain_boundary(const SolveFaces& faces);

/// Returns whether the heat flow through all faces is prescribed, and is constant.
bool has_prescribed_flow(const SolveFaces& faces);

/// Returns the heat per time that the prescribed fluxes bring in.
double prescribed_flow(const HeatFaces& faces, const GridShape& shape, const GridSpacing& spacing);

}  // namespace rafter::solve
