// From a number to a colour.
#pragma once

#include "workbench/draw/colour.hpp"

namespace rafter::draw {

/// The colour of a value from 0 to 1: night blue over violet, red and orange to pale yellow. Lightness grows evenly, so
/// equal differences look equal, in grey and to colour-blind eyes too. Below 0 and above 1 the ends; NaN is grey.
Colour colour_of(double value);

inline constexpr Colour colour_of_nan{128, 128, 128};

}  // namespace rafter::draw
