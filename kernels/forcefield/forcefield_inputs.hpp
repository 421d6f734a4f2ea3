// Synthetic molecules with realistic distances. They depend on the seed only.
#pragma once

#include <cstdint>
#include <vector>

#include "rafter/forcefield.hpp"

namespace rafter::forcefield_ladder {

/// Molecules in host memory, their atoms contiguous.
struct Geometries {
  std::vector<std::int64_t> sizes{};
  std::vector<std::int32_t> elements{};
  std::vector<double> positions{};  // [atoms][3], Angstrom; each is a float32
  std::vector<UnitCell> cells{};    // empty, or one per molecule

  std::int64_t n_atoms() const { return std::ssize(elements); }
};

enum class GeometryKind {
  benzene,   // 12 atoms, 132 edges within 5 A
  druglike,  // 20 to 60 atoms
  mixed,     // 3 to 30 atoms
  large,     // 130 to 170 atoms, a chain
  crystal,   // 8 atoms in a skewed cell, periodic along all vectors, smaller than twice a cutoff of 5
  tiny,      // 0 to 3 atoms, some of them isolated
};

/// Returns `n` molecules. Atoms are displaced a little and molecules are rotated, by random numbers of the seed.
/// Elements depend on the kind and on a molecule's index, not on the seed. No distance is within 1e-3 of `cutoff`,
/// where an energy may be discontinuous.
Geometries make_geometries(GeometryKind kind, std::int64_t n, double cutoff, std::uint64_t seed);

}  // namespace rafter::forcefield_ladder
