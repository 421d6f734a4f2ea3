// Molecules one by one through the reference, over some threads.
#pragma once

#include "forcefield/forcefield_model.hpp"

namespace rafter::forcefield_ladder::cpu {

template <class T>
void compute_one_by_one(const ForceFieldArgs<T>& args, int n_threads);

extern template void compute_one_by_one(const ForceFieldArgs<float>&, int);
extern template void compute_one_by_one(const ForceFieldArgs<double>&, int);

}  // namespace rafter::forcefield_ladder::cpu
