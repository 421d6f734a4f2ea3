#pragma once

#include "core/tunable.hpp"

namespace rafter::rows_ladder {

// H200: four rounds of four resident blocks.
inline const core::Tunable parts_per_sm{
    "rows.parts_per_sm", "parts of long rows for each multiprocessor", {{80, 16}}, {4, 8, 16, 32}};

// H200: rows for which every warp has one.
inline const core::Tunable warps_per_sm{
    "rows.warps_per_sm", "rows for each multiprocessor, from which a warp takes a row", {{80, 64}}, {16, 32, 64, 128}};

}  // namespace rafter::rows_ladder
