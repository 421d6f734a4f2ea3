#pragma once

#include "library/core/tunable.hpp"

namespace rafter::filter_ladder {

// Arrays of up to multiprocessors / small_sms_per_tile tiles of 36 KiB use tiles of 4 KiB instead, so that more
// multiprocessors have work. H200, floats, half kept, us with 2, 4, 8 and 16 (NOTES.md): 2^17 8.4, 8.3, 8.1, 8.7; 2^18
// 10.8, 10.7, 8.9, 8.8; 2^19 15.8, 9.7, 9.7, 9.7.
inline const core::Tunable small_sms_per_tile{"filter.small_sms_per_tile",
                                              "multiprocessors per tile, from which on tiles are small",
                                              {{80, 8}},
                                              {1, 2, 4, 8, 16}};

}  // namespace rafter::filter_ladder
