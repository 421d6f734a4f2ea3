// Molecules to calculate with: made up, but with distances as molecules have them. Their numbers depend on the seed
// alone.
#pragma once

#include <cstdint>
#include <vector>

#include "rafter/forcefield.hpp"

namespace rafter::forcefield_ladder {

/// Molecules one behind the other, on the host.
struct Geometries {
  std::vector<std::int64_t> sizes{};
  std::vector<std::int32_t> elements{};
  std::vector<double> positions{};  // [atoms][3], Angstrom; each is a float32
  std::vector<UnitCell> cells{};    // none, or one for each

  std::int64_t n_atoms() const { return std::ssize(elements); }
};

enum class GeometryKind {
  benzene,   // 12 atoms, 132 edges within 5 A
  druglike,  // 20 to 60 atoms
  mixed,     // 3 to 30 atoms
  large,     // 130 to 170 atoms, a chain
  crystal,   // 8 atoms in a skewed cell that repeats along all vectors, smaller than twice a cutoff of 5
  tiny,      // 0 to 3 atoms, some of them alone
};

/// `n` molecules; atoms are moved a little, and molecules turned, each by its own random numbers of the seed. Elements
/// depend on the kind and a molecule's place, not on the seed. No two atoms are within 1e-3 of `cutoff` of each other:
/// there an energy may jump.
Geometries make_geometries(GeometryKind kind, std::int64_t n, double cutoff, std::uint64_t seed);

}  // namespace rafter::forcefield_ladder
