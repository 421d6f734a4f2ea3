#pragma once

#include "library/core/tunable.hpp"

namespace rafter::heat_ladder {

// H200, float32, order 8, 10 steps (NOTES.md, "any size"): one launch takes 511 us at 160^3 and 1040 at 200^3,
// sweeps 635 and 948. Order 6 uses seven tenths of this side: 405 and 643 us at 128^3 and 160^3, sweeps 436 and 523.
inline const core::Tunable one_launch_side{"heat.one_launch_side",
                                           "cells along each side of the largest cube that runs in one launch",
                                           {{80, 192}},
                                           {160, 176, 192, 208}};

}  // namespace rafter::heat_ladder
