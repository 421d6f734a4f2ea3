// What happens at the faces of a grid, in words: "frozen", or "zero-flux,x-=value:400,y=periodic".
#pragma once

#include <optional>
#include <string>

#include "rafter/conduction.hpp"

namespace rafter::solve {

/// Parts with commas between them, later ones before earlier ones: KIND is for all faces, z=KIND for both of an axis,
/// z-=KIND and z+=KIND for the face where its cells begin and end. Kinds: frozen, periodic, zero-flux, value:NUMBER,
/// flux:NUMBER. Faces that are not named are frozen. Throws Error (bad_argument) with what was expected.
HeatFaces parse_faces(const std::string& text);

/// The shortest such words, which parse_faces() reads back to the last bit.
std::string show_faces(const HeatFaces& faces);

/// The same for people: a frozen layer is as deep as differences reach, which is more than most expect.
std::string describe_faces(const HeatFaces& faces, int radius);

/// One of the three that HeatSolver knows, if all faces have it.
std::optional<HeatBoundary> plain_boundary(const HeatFaces& faces);

/// Whether heat goes through no face but where it is prescribed how much.
bool has_known_income(const HeatFaces& faces);

/// What the prescribed fluxes bring per time.
double income_through(const HeatFaces& faces, const GridShape& shape, const GridSpacing& spacing);

}  // namespace rafter::solve
