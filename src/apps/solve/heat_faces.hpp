// Text form of boundary conditions: "frozen", or "zero-flux,x-=value:400,y=periodic".
#pragma once

#include <optional>
#include <string>

#include "rafter/conduction.hpp"

namespace rafter::solve {

/// Parses comma-separated parts; later ones override earlier ones. KIND applies to all faces, z=KIND to both faces of
/// an axis, z-=KIND and z+=KIND to the face at the low and the high end. Kinds: frozen, periodic, zero-flux,
/// value:NUMBER, flux:NUMBER. Other faces are frozen. Throws Error (bad_argument) with what was expected.
HeatFaces parse_faces(const std::string& text);

/// Returns the shortest text that parse_faces() reads back exactly.
std::string show_faces(const HeatFaces& faces);

/// Returns a description for users, including the depth of a frozen layer, which is the stencil radius.
std::string describe_faces(const HeatFaces& faces, int radius);

/// Returns the HeatBoundary that all faces have, if any.
std::optional<HeatBoundary> plain_boundary(const HeatFaces& faces);

/// Returns whether the heat flow through all faces is prescribed.
bool has_prescribed_flow(const HeatFaces& faces);

/// Returns the heat per time that the prescribed fluxes bring in.
double prescribed_flow(const HeatFaces& faces, const GridShape& shape, const GridSpacing& spacing);

}  // namespace rafter::solve
