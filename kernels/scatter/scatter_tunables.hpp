#pragma once

#include "core/tunable.hpp"

namespace rafter::scatter_ladder {

// H200: 52 MB of scratch.
inline const core::Tunable tiles_per_sm{
    "scatter.tiles_per_sm", "tiles of a chunk for each multiprocessor", {{80, 8}}, {4, 6, 8, 12, 16}};

}  // namespace rafter::scatter_ladder
