#pragma once

#include "library/core/tunable.hpp"

namespace rafter::heat_ladder {

// H200, float32, order 8 (NOTES.md, "any size"): one launch takes 11.0 ps per cell and step at 192^3 and 16.7 at 208^3,
// sweeps 12.7 and 12.2. Order 4 uses seven tenths of this side.
inline const core::Tunable one_launch_side{"heat.one_launch_side",
                                           "cells along each side of the largest cube that runs in one launch",
                                           {{80, 200}},
                                           {170, 200, 230}};

}  // namespace rafter::heat_ladder
