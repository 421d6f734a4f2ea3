// Diffusivities of the faces between cells, for orders above 2.
#pragma once

#include <span>
#include <vector>

#include "rafter/conduction.hpp"

namespace rafter::heat_ladder {

/// Returns the diffusivities of the faces below each cell and above the last one of an axis (0: z, 1: y, 2: x), from
/// those of the cells, [nz, ny, nx]; the result has one more element along the axis. They are interpolated from 2 *
/// radius cells. Where the two adjacent cells differ by more than a factor of 2, a face has their harmonic mean.
template <class T>
std::vector<T> diffusivities_between(std::span<const T> cells, const GridShape& shape, int radius, int axis,
                                     bool is_periodic);

}  // namespace rafter::heat_ladder
