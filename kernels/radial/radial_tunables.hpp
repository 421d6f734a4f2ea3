#pragma once

#include "library/core/tunable.hpp"

namespace rafter::radial_ladder {

// A block of 256 threads has one row per thread in the backward pass, so 256 is the most. H200, 2^20 edges of 20
// functions with 256: 26.3 us forward, 29.5 us backward (README.md). The alternatives are not measured yet: 'rafter
// tune radial'.
inline const core::Tunable edges_per_block{
    "radial.edges_per_block", "edges of a block, at most", {{80, 256}}, {64, 128, 256}};

}  // namespace rafter::radial_ladder
