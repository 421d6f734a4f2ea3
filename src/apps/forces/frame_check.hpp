// Whether a frame is one that can be calculated.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apps/forces/frame.hpp"

namespace rafter::forces {

inline constexpr double least_distance = 1e-6;  ///< between atoms, Angstrom
inline constexpr double least_height = 0.1;     ///< of a cell along which it repeats, Angstrom
inline constexpr double farthest = 1e6;         ///< a coordinate from the origin, Angstrom

struct FrameFault {
  std::int64_t line = 0;
  std::string reason{};
};

/// Nothing for a good frame; otherwise what is wrong: an element of `n_elements` or above, which the model lacks; an
/// atom too far away; a cell without volume; atoms, or an atom and the image of another, at one place.
std::optional<FrameFault> fault_of(const Frame& frame, std::int64_t n_elements);

/// Of a cell that repeats along all three vectors or not; 0 for vectors in a plane.
double volume_of(const UnitCell& cell);

}  // namespace rafter::forces
