#pragma once

#include "library/core/tunable.hpp"

namespace rafter::extrema_ladder {

// As many as the registers of a multiprocessor suffice for, with 96 KiB of loads in flight. Not measured; `rafter tune
// extrema` measures the alternatives.
inline const core::Tunable blocks_per_sm{
    "extrema.blocks_per_sm", "blocks for each multiprocessor", {{80, 3}}, {1, 2, 3, 4, 6}};

}  // namespace rafter::extrema_ladder
