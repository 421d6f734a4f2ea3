#pragma once

#include "library/core/tunable.hpp"

namespace rafter::sum_ladder {

// H200, 2^28 floats: 4 blocks of 512 threads fill a multiprocessor and take 234.1 us; 6 blocks, which are not all
// resident, take 275 us (NOTES.md, "Block shape").
inline const core::Tunable blocks_per_sm{
    "sum.blocks_per_sm", "blocks for each multiprocessor", {{80, 4}}, {1, 2, 3, 4, 6, 8}};

}  // namespace rafter::sum_ladder
