// The figure of a slice through a field.
#pragma once

#include <optional>

#include "apps/solve/slice.hpp"
#include "workbench/draw/figure.hpp"

namespace rafter::solve {

/// Each cell in its colour; the colours' scale is `range`, or else the slice's own.
draw::Figure picture_of(Slice slice, const FieldNote& note, const std::optional<draw::Range>& range);

}  // namespace rafter::solve
