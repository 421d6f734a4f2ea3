#pragma once

#include "library/core/tunable.hpp"

namespace rafter::sum_ladder {

// H200, 2^28 floats: 4 blocks of 512 threads fill a multiprocessor and take 234.1 us; 6 blocks, which are not all
// resident, take 275 us (NOTES.md, "Block shape").
inline const core::Tunable blocks_per_sm{
    "sum.blocks_per_sm", "blocks for each multiprocessor", {{80, 4}}, {1, 2, 3, 4, 6, 8}};

// Up to so many tiles of 32 KiB, at most 8 blocks of one cluster add up an array; 1: no clusters. H200, us with 1, 8,
// 16 and 32: 2^16 floats 5.7, 4.9, 4.8, 5.0; 2^17 5.8, 5.8, 5.4, 5.5; 2^18 5.3, 5.3, 5.3, 6.6 (NOTES.md, "One
// cluster").
inline const core::Tunable blocks_in_cluster{"sum.blocks_in_cluster",
                                             "tiles (32 KiB) up to which one cluster adds up an array",
                                             {{90, 16}, {80, 1}},
                                             {1, 8, 16, 32}};

}  // namespace rafter::sum_ladder
