#pragma once

#include "library/core/tunable.hpp"

namespace rafter::scan_ladder {

// Up to this many tiles of 48 KiB per 100 multiprocessors, the scan uses SmallScanPolicy. H200 (NOTES.md): 2^18 floats
// are as fast with medium tiles, 2^19 take 9.5 us with small and 8.4 with medium ones.
inline const core::Tunable small_tiles_percent{"scan.small_tiles_percent",
                                               "large tiles per 100 multiprocessors, up to which small tiles are used",
                                               {{80, 25}},
                                               {10, 25, 50, 100}};

// Up to this many, it uses MediumScanPolicy. H200 (NOTES.md): 2^22 floats take 20.0 us with large and 16.9 with medium
// tiles, 10^7 34.5 and 29.4.
inline const core::Tunable medium_tiles_percent{
    "scan.medium_tiles_percent",
    "large tiles per 100 multiprocessors, up to which medium tiles are used",
    {{80, 800}},
    {50, 100, 200, 400, 800}};

}  // namespace rafter::scan_ladder
