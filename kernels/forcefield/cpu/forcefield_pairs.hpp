// The pairs of a group of molecules: of an edge and its reverse, the one with the larger sender. They are sorted by the
// table's interval, so that pairs of one interval find its polynomials in the L1.
#pragma once

#include <vector>

#include "forcefield/batch/forcefield_edges.hpp"
#include "forcefield/cpu/forcefield_packed.hpp"

namespace rafter::forcefield_ladder::cpu {

class PairFinder {
 public:
  explicit PairFinder(const PackedForceField& model) : model_(model) {}

  void clear() { found_.clear(); }
  /// Adds the pairs of a molecule, whose atoms are rows from `row` on.
  void add(const float* positions, std::int64_t n_atoms, const UnitCell* cell, std::int64_t row);
  /// Returns all pairs; the order of a molecule's pairs does not depend on other molecules.
  const std::vector<Pair>& sorted();

 private:
  Pair pair_of(const Edge<float>& edge, std::int64_t receiver, std::int64_t row) const;

  const PackedForceField& model_;
  EdgeList<float> edges_;
  std::vector<Pair> found_, sorted_;
  std::vector<std::int64_t> next_;  // [intervals + 1]: the index of each interval's next pair
};

}  // namespace rafter::forcefield_ladder::cpu
