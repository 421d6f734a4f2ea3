// The numbers by which by_size chooses between blocks, clusters and stages. NOTES.md has the measurements on an H200.
#pragma once

#include <cstdint>

#include "library/core/tunable.hpp"

namespace rafter::forcefield_ladder {

// Molecules of more atoms than this are of medium size; if there are medium_molecules of them, the whole batch is
// computed in stages. H200: 64 drug-like molecules (20 to 60 atoms) take 0.78 ms in stages and 1.85 ms in blocks, 1024
// of them 10.8 and 12.2 ms; for benzenes (12 atoms) blocks are faster. 32 and 4 themselves are between these cases, not
// measured.
inline const core::Tunable medium_atoms{
    "forcefield.medium_atoms", "atoms above which a molecule is of medium size", {{80, 32}}, {16, 32, 64}};
inline constexpr std::int64_t medium_molecules = 4;

// A cluster processes at most this number of molecules, one after the other, before blocks are used instead. H200: up
// to three rounds beat one block per molecule for benzenes, six for larger molecules (NOTES.md).
inline const core::Tunable cluster_rounds{
    "forcefield.cluster_rounds", "molecules of up to 24 atoms per cluster, at most", {{90, 3}}, {1, 3, 6}};
inline const core::Tunable cluster_rounds_large{
    "forcefield.cluster_rounds_large", "larger molecules per cluster, at most", {{90, 6}}, {3, 6, 12}};

// Atoms that are computed at a time operation by operation, with all intermediate results kept: about 100 MB for
// molecules with 60 neighbours per atom. Bounds the memory; not tuned.
inline constexpr std::int64_t per_op_atoms = 128;

}  // namespace rafter::forcefield_ladder
