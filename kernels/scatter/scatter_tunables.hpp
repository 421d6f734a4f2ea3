#pragma once

#include "library/core/tunable.hpp"

namespace rafter::scatter_ladder {

// H200, 2^26 elements into 10^6 keys, `rafter tune scatter --check`: 701 us with 4, 655 with 6, 618 with 8, 611 with
// 12, 610 with 16. With 12, each of the two chunks in use takes 78 MB of scratch.
inline const core::Tunable tiles_per_sm{
    "scatter.tiles_per_sm", "tiles of a chunk for each multiprocessor", {{90, 12}, {80, 8}}, {4, 6, 8, 12, 16}};

// H200, 1000 keys: 2^12 and 2^14 elements take 8.5 and 8.7 us with private copies, 5.6 and 6.2 with atomics (NOTES.md).
// 248 for each of its 132 multiprocessors are about 2^15.
inline const core::Tunable single_per_sm{"scatter.single_per_sm",
                                         "elements for each multiprocessor, below which each has a thread of its own",
                                         {{80, 248}},
                                         {1, 32, 124, 248, 496}};

}  // namespace rafter::scatter_ladder
