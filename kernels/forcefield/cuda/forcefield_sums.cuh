// A molecule's energy, forces and virial from those of its atoms, by a block.
#pragma once

#include "forcefield/cuda/forcefield_dense.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

struct MoleculeResults {
  double* energies;
  float* forces;    // or null
  double* virials;  // or null
};

/// A thread's element of the virial. Without a strain of edges, it is made of forces: those of a molecule that does not
/// repeat add up to zero, so that positions may be taken from its first atom.
template <bool IsPainn>
__device__ double virial(const State<IsPainn>& state, int first, int n, const float* positions) {
  const int x = static_cast<int>(threadIdx.x) / 3, y = static_cast<int>(threadIdx.x) % 3;
  double sum = 0;
  for (int group = 0; group < n_groups(state.model); ++group) {
    for (int i = 0; i < n; ++i) {
      const std::int64_t row = std::int64_t{group} * state.capacity + first + i;
      if (state.strains != nullptr) {
        sum -= double{state.strains[row * 9 + threadIdx.x]};
      } else {
        sum += double{state.forces[row * 3 + x]} * (double{positions[3 * i + y]} - double{positions[y]});
      }
    }
  }
  return sum;
}

/// Sums over atoms and groups of channels, in their order, whatever the block's place. The molecule's atoms are `n`
/// from `first` on in the state and from `source` on in the caller's arrays. A position that is no number makes all
/// results none.
template <bool IsPainn>
__device__ void write_results(const State<IsPainn>& state, int first, int n, const float* positions,
                              std::int64_t molecule, std::int64_t source, const MoleculeResults& results) {
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const int groups = n_groups(state.model);
  float poison = 0;
  for (int i = lane; i < 3 * n; i += 32) poison += 0 * positions[i];
#pragma unroll
  for (int distance = 16; distance >= 1; distance /= 2) poison += __shfl_xor_sync(core::full_warp, poison, distance);
  if (warp == 0) {
    double sum = 0;
    for (int i = lane; i < n; i += 32) sum += double{state.energies[first + i]};
#pragma unroll
    for (int distance = 16; distance >= 1; distance /= 2) sum += __shfl_xor_sync(core::full_warp, sum, distance);
    if (lane == 0) results.energies[molecule] = sum + double{poison};
  }
  if (results.forces != nullptr) {
    for (int i = static_cast<int>(threadIdx.x); i < 3 * n; i += n_threads()) {
      float sum = poison;
      for (int group = 0; group < groups; ++group)
        sum += state.forces[(std::int64_t{group} * state.capacity + first) * 3 + i];
      results.forces[3 * source + i] = sum;
    }
  }
  if (results.virials != nullptr && threadIdx.x < 9)
    results.virials[9 * molecule + threadIdx.x] = double{poison} + virial(state, first, n, positions);
}

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
