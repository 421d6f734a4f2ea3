// The pairs of a group of molecules: of two edges, one each way, the one whose sender comes later. They are sorted by
// the table's interval, so that those of one interval find its polynomials in the nearest cache.
#pragma once

#include <vector>

#include "forcefield/batch/forcefield_edges.hpp"
#include "forcefield/cpu/forcefield_packed.hpp"

namespace rafter::forcefield_ladder::cpu {

class PairFinder {
 public:
  explicit PairFinder(const PackedForceField& model) : model_(model) {}

  void clear() { found_.clear(); }
  /// Adds those of a molecule, whose atoms are rows from `row` on.
  void add(const float* positions, std::int64_t n_atoms, const UnitCell* cell, std::int64_t row);
  /// All of them; those of a molecule in an order that does not depend on the others'.
  const std::vector<Pair>& sorted();

 private:
  Pair pair_of(const Edge<float>& edge, std::int64_t receiver, std::int64_t row) const;

  const PackedForceField& model_;
  EdgeList<float> edges_;
  std::vector<Pair> found_, sorted_;
  std::vector<std::int64_t> next_;  // [intervals + 1]: where the next pair of each goes
};

}  // namespace rafter::forcefield_ladder::cpu
