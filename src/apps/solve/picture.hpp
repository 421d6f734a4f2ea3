// Figures of slices of a field.
#pragma once

#include <optional>

#include "apps/solve/slice.hpp"
#include "workbench/draw/figure.hpp"

namespace rafter::solve {

/// Returns a figure with each cell in its colour; the colour scale is `range`, by default the range of the slice.
draw::Figure picture_of(Slice slice, const FieldNote& note, const std::optional<draw::Range>& range);

}  // namespace rafter::solve
