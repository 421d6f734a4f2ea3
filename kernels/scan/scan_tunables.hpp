#pragma once

#include "library/core/tunable.hpp"

namespace rafter::scan_ladder {

// Up to this many tiles of 48 KiB per 100 multiprocessors, the scan uses SmallScanPolicy. No measurement of the
// alternatives is recorded; `rafter tune scan` makes one.
inline const core::Tunable small_tiles_percent{"scan.small_tiles_percent",
                                               "large tiles per 100 multiprocessors, up to which small tiles are used",
                                               {{80, 50}},
                                               {25, 50, 100}};

}  // namespace rafter::scan_ladder
