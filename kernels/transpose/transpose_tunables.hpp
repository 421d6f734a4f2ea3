#pragma once

#include "library/core/tunable.hpp"

namespace rafter::transpose_ladder {

// H200, (16384, 16384) floats, 256 threads: 529 us with 1, 531 with 4, 536 with 8, 540 with 16; (1000, 300000): 606,
// 605, 604, 606 (NOTES.md, "tile shape").
inline const core::Tunable band_tiles{
    "transpose.band_tiles", "tile columns that are processed together, from top to bottom", {{80, 4}}, {1, 4, 8, 16}};

}  // namespace rafter::transpose_ladder
