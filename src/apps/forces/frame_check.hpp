// Validation of frames.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apps/forces/frame.hpp"

namespace rafter::forces {

inline constexpr double least_distance = 1e-6;  ///< minimum distance between atoms, Angstrom
inline constexpr double least_height = 0.1;     ///< minimum height of a cell along a vector that repeats, Angstrom
inline constexpr double farthest = 1e6;         ///< maximum magnitude of a coordinate, Angstrom

struct FrameFault {
  std::int64_t line = 0;
  std::string reason{};
};

/// Returns the fault of a frame, or nullopt: an atomic number of `n_elements` or above, which the model does not
/// support; an atom too far away; a cell without volume; or coincident atoms, periodic images included.
std::optional<FrameFault> fault_of(const Frame& frame, std::int64_t n_elements);

/// Returns the volume of a cell, periodic or not; 0 for coplanar vectors.
double volume_of(const UnitCell& cell);

}  // namespace rafter::forces
