// Neighbour lists built by the GPU's kernels, for tests.
#pragma once

#include "forcefield/batch/forcefield_batch.hpp"

namespace rafter::test {

/// The lists of all molecules, in the batch's order of processing; senders are indices in the molecule.
template <class T>
struct MadeLists {
  forcefield_ladder::EdgeList<T> list{};
  int n_binned = 0;  // atoms with bins
};

/// The functions of a device. Molecules of more than `most_paired` atoms have bins.
struct ListMakers {
  template <class T>
  using Lists = MadeLists<T> (*)(const Stream& stream, const forcefield_ladder::BatchPlan& batch, const T* positions,
                                 double cutoff, std::int64_t most_paired);
  Lists<float> of_float;
  Lists<double> of_double;
  /// Returns the number of candidates of each atom if all have bins, rounded up to whole warps.
  std::vector<int> (*n_tried)(const Stream& stream, const forcefield_ladder::BatchPlan& batch, const float* positions,
                              double cutoff);

  Lists<float> lists(float) const { return of_float; }
  Lists<double> lists(double) const { return of_double; }
};

namespace simt {
ListMakers list_makers();
}
namespace cuda {
ListMakers list_makers();
}

}  // namespace rafter::test
