// Molecules one by one through the reference, over some threads.
#pragma once

#include "forcefield/model/forcefield_model.hpp"

namespace rafter::forcefield_ladder::cpu {

/// Zero, or no number where a position is none: what is added to the results of a molecule. An atom that is nowhere has
/// no neighbours, and would be left out of the sums in silence.
template <class T>
T nothing_of(const T* positions, std::int64_t n) {
  T sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += 0 * positions[i];
  return sum;
}

template <class T>
void compute_one_by_one(const ForceFieldArgs<T>& args, int n_threads);

extern template void compute_one_by_one(const ForceFieldArgs<float>&, int);
extern template void compute_one_by_one(const ForceFieldArgs<double>&, int);

}  // namespace rafter::forcefield_ladder::cpu
