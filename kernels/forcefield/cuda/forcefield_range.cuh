// The atoms for which neighbour lists are built, and the common parts of all search methods.
//
// An edge and its reverse get opposite shifts, so their lengths are bitwise equal.
#pragma once

#include "forcefield/cuda/forcefield_length.cuh"
#include "forcefield/model/forcefield_model.hpp"
#include "library/core/cuda/launch.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

inline constexpr int list_threads = 256;

/// The most atoms of a molecule whose pairs are all tested; larger ones use bins. Predicted, not measured (NOTES.md):
/// in a liquid, the 27 bins around an atom have about 340 candidates within 5 A, and finding them takes as much work as
/// testing twice as many.
inline constexpr std::int64_t most_paired_atoms = 768;

/// The atoms of consecutive molecules of the batch's order, numbered from 0.
struct AtomRange {
  BatchView batch;
  std::int64_t first_slot;
  std::int64_t n_slots;
  int n_atoms;
  int n_binned;  // the number of leading atoms whose molecules have bins

  /// The molecule of an atom.
  struct Place {
    int first, n;         // the molecule's atoms in the range
    std::int64_t source;  // its first atom, in the caller's arrays
    int molecule;
  };
  __device__ Place place_of_slot(std::int64_t slot) const {
    const std::int64_t begin = batch.order_first[first_slot], first = batch.order_first[slot];
    const int molecule = batch.order[slot];
    return {static_cast<int>(first - begin), static_cast<int>(batch.order_first[slot + 1] - first),
            batch.first[molecule], molecule};
  }
  __device__ Place place_of(int atom) const {
    return place_of_slot(batch.slot_of[batch.order_first[first_slot] + atom]);
  }
  /// The cell of a molecule; null if it is not periodic.
  __device__ const CellGeometry* cell_of(const Place& place) const {
    if (batch.cells == nullptr) return nullptr;
    const CellGeometry* cell = batch.cells + place.molecule;
    return cell->is_periodic[0] || cell->is_periodic[1] || cell->is_periodic[2] ? cell : nullptr;
  }
};

/// The range of the molecules [first_slot, first_slot + n_slots) of the batch's order, which has the largest first.
inline AtomRange atoms_of(const BatchPlan& batch, std::int64_t first_slot, std::int64_t n_slots,
                          std::int64_t most_paired = most_paired_atoms) {
  const auto atoms_before = [&](std::int64_t slot) {
    return static_cast<int>(batch.order_first(slot) - batch.order_first(first_slot));
  };
  std::int64_t slot = first_slot;
  while (slot < first_slot + n_slots && batch.order_first(slot + 1) - batch.order_first(slot) > most_paired) ++slot;
  return {batch.view(), first_slot, n_slots, atoms_before(first_slot + n_slots), atoms_before(slot)};
}

/// An edge in a list.
template <class T>
struct alignas(4 * sizeof(T)) ListedEdge {
  T x, y, z;   // from the receiver to the sender, or to an image of it
  int sender;  // its index in the range
};

/// The least power of two that is n or more; n is at most 2^30.
__device__ inline int next_power_of_two(int n) { return n < 2 ? 1 : 1 << (32 - __clz(n - 1)); }

/// The coordinate of a position along a cell's vector.
template <class T>
__device__ double coordinate(const CellGeometry& cell, int k, const T* position) {
  return cell.inverse[k][0] * static_cast<double>(position[0]) + cell.inverse[k][1] * static_cast<double>(position[1]) +
         cell.inverse[k][2] * static_cast<double>(position[2]);
}

/// Returns r plus whole cells.
template <class T>
__device__ void add_cells(const CellGeometry& cell, const double (&cells)[3], T (&r)[3]) {
  for (int x = 0; x < 3; ++x) {
    const double moved = cells[0] * cell.vectors[0][x] + cells[1] * cell.vectors[1][x] + cells[2] * cell.vectors[2][x];
    r[x] += static_cast<T>(moved);
  }
}

template <class T>
__device__ bool is_near(const T (&r)[3], double cutoff) {
  return sqrt(squared_length(r[0], r[1], r[2])) <= static_cast<T>(cutoff);
}

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
