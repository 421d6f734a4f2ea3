#pragma once

#include "library/core/tunable.hpp"

namespace rafter::rows_ladder {

// H200, `rafter tune rows --check`: with 4, (1000, 10^5) takes 92.1 us and (10, 10^6) 14.8; with 16, 94.5 and 17.0; 8
// is in between. (10, 10^7) takes the same time with all values.
inline const core::Tunable parts_per_sm{
    "rows.parts_per_sm", "parts of long rows for each multiprocessor", {{90, 4}, {80, 16}}, {4, 8, 16, 32}};

// H200: a multiprocessor holds 64 warps; from that many rows on, every resident warp has a row.
inline const core::Tunable warps_per_sm{
    "rows.warps_per_sm", "rows for each multiprocessor, from which a warp takes a row", {{80, 64}}, {16, 32, 64, 128}};

}  // namespace rafter::rows_ladder
