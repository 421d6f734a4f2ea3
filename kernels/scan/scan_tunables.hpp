#pragma once

#include "library/core/tunable.hpp"

namespace rafter::scan_ladder {

// Up to this many tiles of 48 KiB per 100 multiprocessors, the scan uses SmallScanPolicy. H200, floats, us with 50 and
// 200: 2^20 10.1 and 12.9, 2^21 15.6 and 17.0 (NOTES.md).
inline const core::Tunable small_tiles_percent{"scan.small_tiles_percent",
                                               "large tiles per 100 multiprocessors, up to which small tiles are used",
                                               {{80, 50}},
                                               {25, 50, 100, 200}};

// Up to this many, it uses MediumScanPolicy: with few tiles of 48 KiB per multiprocessor, some have one more than
// others.
inline const core::Tunable medium_tiles_percent{
    "scan.medium_tiles_percent",
    "large tiles per 100 multiprocessors, up to which medium tiles are used",
    {{80, 50}},
    {50, 100, 200, 400, 800}};

}  // namespace rafter::scan_ladder
