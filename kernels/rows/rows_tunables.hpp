#pragma once

#include "library/core/tunable.hpp"

namespace rafter::rows_ladder {

// H200, 'rafter tune --check': with 4, (1000, 10^5) takes 92.1 us and (10, 10^6) 14.8, with 16 94.5 and 17.0; 8 is
// between them, and for (10, 10^7) all are alike.
inline const core::Tunable parts_per_sm{
    "rows.parts_per_sm", "parts of long rows for each multiprocessor", {{90, 4}, {80, 16}}, {4, 8, 16, 32}};

// H200: rows for which every warp has one.
inline const core::Tunable warps_per_sm{
    "rows.warps_per_sm", "rows for each multiprocessor, from which a warp takes a row", {{80, 64}}, {16, 32, 64, 128}};

}  // namespace rafter::rows_ladder
