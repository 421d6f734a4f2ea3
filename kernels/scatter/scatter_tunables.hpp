#pragma once

#include "library/core/tunable.hpp"

namespace rafter::scatter_ladder {

// H200, 2^26 elements into 10^6 keys, 'rafter tune --check': 4 701 us, 6 655, 8 618, 12 611, 16 610. 12 take 78 MB of
// scratch.
inline const core::Tunable tiles_per_sm{
    "scatter.tiles_per_sm", "tiles of a chunk for each multiprocessor", {{90, 12}, {80, 8}}, {4, 6, 8, 12, 16}};

}  // namespace rafter::scatter_ladder
