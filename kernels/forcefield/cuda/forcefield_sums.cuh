// A molecule's energy, forces and virial from the contributions of its atoms, by one block.
#pragma once

#include "forcefield/cuda/forcefield_dense.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

struct MoleculeResults {
  double* energies;
  float* forces;    // or null
  double* virials;  // or null
};

/// The molecule of a block's results.
struct SummedMolecule {
  int first, n;           // its atoms in the state
  std::int64_t molecule;  // its index in the batch
  std::int64_t source;    // its first atom in the caller's arrays
  bool repeats;
};

/// Computes a warp's element of the virial: from the edges' strain or, if the molecule is not periodic, from its
/// forces. Forces add up to zero, so positions may be relative to the first atom. Collective: all lanes of the warp.
template <bool IsPainn>
__device__ double virial(const State<IsPainn>& state, const SummedMolecule& of, const float* positions, int element) {
  const int x = element / 3, y = element % 3;
  double sum = 0;
  for (int i = static_cast<int>(threadIdx.x) % 32; i < of.n; i += 32) {
    for (int segment = 0; segment < n_segments(state.model); ++segment) {
      const std::int64_t row = std::int64_t{segment} * state.capacity + of.first + i;
      if (of.repeats) {
        sum -= double{state.strains[row * 9 + element]};
      } else {
        sum = fma(double{state.forces[row * 3 + x]}, double{positions[3 * i + y]} - double{positions[y]}, sum);
      }
    }
  }
  return core::warp_sum(sum);
}

/// Sums over atoms and segments of channels in a fixed order. A position that is not finite makes all results NaN.
/// Collective: all threads of the block.
template <bool IsPainn>
__device__ void write_results(const State<IsPainn>& state, const SummedMolecule& of, const float* positions,
                              const MoleculeResults& results) {
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  float poison = 0;
  for (int i = lane; i < 3 * of.n; i += 32) poison += 0 * positions[i];
  poison = __shfl_sync(core::full_warp, core::warp_sum(poison), 0);
  if (warp == 0) {
    double sum = 0;
    for (int i = lane; i < of.n; i += 32) sum += double{state.energies[of.first + i]};
    sum = core::warp_sum(sum);
    if (lane == 0) results.energies[of.molecule] = sum + double{poison};
  }
  if (results.forces != nullptr) {
    for (int i = static_cast<int>(threadIdx.x); i < 3 * of.n; i += n_threads()) {
      float sum = poison;
      for (int segment = 0; segment < n_segments(state.model); ++segment)
        sum += state.forces[(std::int64_t{segment} * state.capacity + of.first) * 3 + i];
      results.forces[3 * of.source + i] = sum;
    }
  }
  if (results.virials != nullptr) {
    for (int element = warp; element < 9; element += n_warps()) {
      const double sum = virial(state, of, positions, element);
      if (lane == 0) results.virials[9 * of.molecule + element] = double{poison} + sum;
    }
  }
}

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
