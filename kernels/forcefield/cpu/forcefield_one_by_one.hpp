// Computes molecules one by one with the reference, on several threads.
#pragma once

#include "forcefield/model/forcefield_model.hpp"

namespace rafter::forcefield_ladder::cpu {

/// Returns 0, or NaN if a position is not finite. It is added to the results of a molecule: an atom without a finite
/// position has no neighbours and would otherwise be ignored silently.
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
