// The launch parameters of the sweep that depend on the GPU's L2.
#pragma once

#include "library/core/tunable.hpp"

namespace rafter::gather_ladder {

// H200, table of 2^24 floats, 2^26 int64 indices: 670 us with 8, 730 with 16, 1100 with 4 (NOTES.md). Two regions in
// use leave space in the L2 for the indices and outputs that stream through.
inline const core::Tunable region_mib{
    "gather.region_mib", "MiB of the table that all blocks access at a time", {{80, 8}}, {4, 8, 16}};

// H200: the L2 holds smaller tables without a sweep. 2^26 indices into 32 MiB of floats take 639 us without and 651
// with one, of doubles 696 and 760; 2^24 indices into 64 MiB of doubles 289 and 272.
inline const core::Tunable sweep_from_mib{
    "gather.sweep_from_mib", "MiB of the smallest table that is swept", {{80, 48}}, {16, 24, 32, 48}};

// In larger tables a region serves too few indices. H200, 2^24 indices: 391 us with, 402 without a sweep of 256 MiB,
// 683 and 429 for 512 MiB.
inline const core::Tunable sweep_to_mib{
    "gather.sweep_to_mib", "MiB of the largest table that is swept", {{80, 384}}, {96, 192, 384}};

}  // namespace rafter::gather_ladder
