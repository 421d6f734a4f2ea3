#pragma once

#include "library/core/tunable.hpp"

namespace rafter::filter_ladder {

// Arrays of up to multiprocessors / small_sms_per_tile tiles of 36 KiB use tiles of 4 KiB instead, so that more
// multiprocessors have work. 2 is a heuristic; 'rafter tune filter --size 2^20' measures the alternatives.
inline const core::Tunable small_sms_per_tile{
    "filter.small_sms_per_tile", "multiprocessors per tile, from which on tiles are small", {{80, 2}}, {1, 2, 4, 8}};

}  // namespace rafter::filter_ladder
