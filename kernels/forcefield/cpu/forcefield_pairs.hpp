// The pairs of a group of molecules: of two edges, one each way, the one whose sender comes later.
#pragma once

#include <vector>

#include "forcefield/cpu/forcefield_packed.hpp"
#include "forcefield/forcefield_edges.hpp"

namespace rafter::forcefield_ladder::cpu {

class PairFinder {
 public:
  explicit PairFinder(const PackedForceField& model) : model_(model) {}

  void clear() { pairs_.clear(); }
  /// Adds those of a molecule, whose atoms are rows from `row` on.
  void add(const float* positions, std::int64_t n_atoms, const UnitCell* cell, std::int64_t row);
  const std::vector<Pair>& pairs() const { return pairs_; }

 private:
  Pair pair_of(const Edge<float>& edge, std::int64_t receiver, std::int64_t row) const;

  const PackedForceField& model_;
  EdgeList<float> edges_;
  std::vector<Pair> pairs_;
};

}  // namespace rafter::forcefield_ladder::cpu
