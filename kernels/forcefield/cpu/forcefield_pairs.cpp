#include "forcefield/cpu/forcefield_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "forcefield/reference/forcefield_reference.hpp"

namespace rafter::forcefield_ladder::cpu {

namespace {

/// Whether an edge of an atom to its own image is the one of two opposite edges that is kept: that with the positive
/// vector.
bool is_first(const Edge<float>& edge, std::int64_t receiver) {
  if (edge.sender != receiver) return edge.sender > receiver;
  const auto& e = edge.vector;
  return e[0] != 0 ? e[0] > 0 : e[1] != 0 ? e[1] > 0 : e[2] > 0;
}

}  // namespace

Pair PairFinder::pair_of(const Edge<float>& edge, std::int64_t receiver, std::int64_t row) const {
  const auto& e = edge.vector;
  Pair pair{.first = static_cast<std::int32_t>(row + receiver),
            .second = static_cast<std::int32_t>(row + edge.sender),
            .vector = {e[0], e[1], e[2]},
            .length = std::sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]),
            .unit = {},
            .place = 0,
            .interval = 0};
  const float divisor = model_.is_painn() ? pair.length : pair.length + static_cast<float>(unit_epsilon);
  for (int x = 0; x < 3; ++x) pair.unit[x] = e[x] / divisor;
  const float steps = static_cast<float>(model_.n_intervals()) / static_cast<float>(model_.model().cutoff);
  const float place = pair.length * steps;
  pair.interval = std::min(static_cast<std::int64_t>(place), model_.n_intervals() - 1);
  pair.place = place - static_cast<float>(pair.interval);
  return pair;
}

void PairFinder::add(const float* positions, std::int64_t n_atoms, const UnitCell* cell, std::int64_t row) {
  find_edges(positions, n_atoms, model_.model().cutoff, cell, edges_);
  for (std::int64_t i = 0; i < n_atoms; ++i) {
    for (const Edge<float>& edge : edges_.of(i)) {
      if (is_first(edge, i)) found_.push_back(pair_of(edge, i, row));
    }
  }
}

const std::vector<Pair>& PairFinder::sorted() {
  next_.assign(static_cast<std::size_t>(model_.n_intervals() + 1), 0);
  for (const Pair& pair : found_) ++next_[static_cast<std::size_t>(pair.interval + 1)];
  for (std::size_t i = 1; i < next_.size(); ++i) next_[i] += next_[i - 1];
  sorted_.resize(found_.size());
  for (const Pair& pair : found_)
    sorted_[static_cast<std::size_t>(next_[static_cast<std::size_t>(pair.interval)]++)] = pair;
  return sorted_;
}

}  // namespace rafter::forcefield_ladder::cpu
