// Cell lists on a GPU: the atoms of a large molecule are sorted into bins a cutoff wide, so that each atom is only
// compared with those of the bins around it, 27 if the cell is wide enough.
//
// Bins divide all of space, or the cell along periodic vectors. A bin is found by a hash of its coordinates, in a table
// with one slot per atom of the molecule: the extent of the molecule need not be known, and an isolated atom does not
// make bins larger. Atoms of other bins in the same slot are skipped. The atoms of a slot are in their order in the
// molecule, so the edges of an atom have a fixed order, by bin and then by sender, which depends on nothing else in the
// batch.
#pragma once

#include "forcefield/cuda/forcefield_bin_grid.cuh"
#include "library/core/cuda/scan.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

/// Exclusive scan of counts[0, n) in place, by one block; counts[n] becomes the total.
template <class Count>
__global__ void __launch_bounds__(list_threads) sum_counts(Count* counts, int n) {
  constexpr int items = 16;
  __shared__ core::BlockSumStorage<Count, list_threads> storage;
  Count before = 0;
  for (std::int64_t base = 0; base < n; base += list_threads * items) {
    const std::int64_t first = base + std::int64_t{threadIdx.x} * items;
    Count count[items], mine = 0;
#pragma unroll
    for (int i = 0; i < items; ++i) {
      count[i] = first + i < n ? counts[first + i] : 0;
      mine += count[i];
    }
    const auto sum = core::block_running_sum<Count, list_threads>(mine, storage);
    Count next = before + sum.before;
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (first + i < n) counts[first + i] = next;
      next += count[i];
    }
    before += sum.total;
    __syncthreads();  // all threads have read the storage before the next iteration writes it
  }
  if (threadIdx.x == 0) counts[n] = before;
}

/// The slot of a bin in a molecule of n atoms.
__device__ inline int slot_of(unsigned long long key, int n) {
  const unsigned long long mixed = key * 0x9e3779b97f4a7c15ull >> 32;
  return static_cast<int>(mixed * static_cast<unsigned long long>(n) >> 32);
}

/// An atom in the order of slots.
template <class T>
struct BinnedAtom {
  BinPlace place;
  T position[3];
  int atom;  // its index in the range
};

/// The bins of a range. The slots of a molecule have the same indices as its atoms.
template <class T>
struct BinArrays {
  int* slot_first;       // [binned + 1]: each slot's first atom
  int* slot;             // [binned]: the slot of each atom
  int* arrival;          // [binned]: the number of atoms that were counted into its slot before it
  int* arrived;          // [binned]: atoms by slot, in the order of the atomic additions
  BinnedAtom<T>* atoms;  // [binned]: by slot, then by atom
};

template <class T>
std::int64_t bin_bytes(const AtomRange& range) {
  const std::int64_t n = range.n_binned;
  return n == 0
             ? 0
             : ceil_div(n * std::int64_t{sizeof(BinnedAtom<T>)} + (4 * n + 1) * std::int64_t{sizeof(int)}, 256) * 256;
}

/// The atoms of a molecule in the bins around an atom, for the first atoms of a range.
template <class T>
class BinnedCandidates {
 public:
  /// Uses `memory`, which has bin_bytes().
  BinnedCandidates(const AtomRange& range, const T* positions, double cutoff, std::byte* memory)
      : range_(range), positions_(positions), cutoff_(cutoff) {
    const std::int64_t n = range.n_binned;
    arrays_.atoms = reinterpret_cast<BinnedAtom<T>*>(memory);
    arrays_.slot = reinterpret_cast<int*>(arrays_.atoms + n);
    arrays_.arrival = arrays_.slot + n;
    arrays_.arrived = arrays_.arrival + n;
    arrays_.slot_first = arrays_.arrived + n;
  }

  /// Enqueues the filling of the bins.
  void launch_bins(const Stream& stream) const;

  /// Calls take(is_near, edge) in each lane of the atom's warp, for 32 candidates at a time. Collective: all lanes of
  /// the warp.
  template <class Take>
  __device__ void operator()(int atom, const Take& take) const {
    const AtomRange::Place place = range_.place_of(atom);
    const CellGeometry* cell = range_.cell_of(place);
    const BinGrid grid(cell, cutoff_);
    const T* const mine = position_of(place, atom);
    const BinPlace home = grid.place_of(mine);
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const std::int64_t n_around = grid.n_around();
    for (std::int64_t base = 0; base < n_around; base += 32) {  // one bin per lane
      const BinGrid::Around bin = grid.around(home.key, min(base + lane, n_around - 1));
      const int* const slot = arrays_.slot_first + place.first + slot_of(bin.key, place.n);
      const int begin = slot[0], n = base + lane < n_around ? slot[1] - begin : 0;
      const int end = core::warp_inclusive_sum(n), n_candidates = __shfl_sync(core::full_warp, end, 31);
      for (int first = 0; first < n_candidates; first += 32) {  // one candidate per lane
        const int i = min(first + lane, n_candidates - 1), owner = lane_of(end, i);
        const int from = __shfl_sync(core::full_warp, begin + n - end, owner);
        const unsigned long long key = __shfl_sync(core::full_warp, bin.key, owner);
        const BinnedAtom<T>& other = arrays_.atoms[from + i];
        T r[3] = {other.position[0] - mine[0], other.position[1] - mine[1], other.position[2] - mine[2]};
        double cells[3];
        for (int k = 0; k < 3; ++k)
          cells[k] = __shfl_sync(core::full_warp, bin.cells[k], owner) + (home.cells[k] - other.place.cells[k]);
        if (cell != nullptr) add_cells(*cell, cells, r);
        const bool is_itself = other.atom == atom && cells[0] == 0 && cells[1] == 0 && cells[2] == 0;
        take(first + lane < n_candidates && other.place.key == key && !is_itself && is_near(r, cutoff_),
             ListedEdge<T>{r[0], r[1], r[2], other.atom});
      }
    }
  }

  /// Counts an atom into its slot; the counts are 0 before the launch.
  __device__ void count(int atom) const {
    const AtomRange::Place place = range_.place_of(atom);
    const BinGrid grid(range_.cell_of(place), cutoff_);
    const int slot = place.first + slot_of(grid.place_of(position_of(place, atom)).key, place.n);
    arrays_.slot[atom] = slot;
    arrays_.arrival[atom] = atomicAdd(arrays_.slot_first + slot, 1);
  }
  __device__ void arrive(int atom) const {
    arrays_.arrived[arrays_.slot_first[arrays_.slot[atom]] + arrays_.arrival[atom]] = atom;
  }
  /// Stores an atom after those of its slot that precede it in the molecule.
  __device__ void settle(int atom) const {
    const int* const slot = arrays_.slot_first + arrays_.slot[atom];
    int n_before = 0;
    for (int i = slot[0]; i < slot[1]; ++i) n_before += arrays_.arrived[i] < atom ? 1 : 0;
    const AtomRange::Place place = range_.place_of(atom);
    const BinGrid grid(range_.cell_of(place), cutoff_);
    const T* const mine = position_of(place, atom);
    arrays_.atoms[slot[0] + n_before] = {grid.place_of(mine), {mine[0], mine[1], mine[2]}, atom};
  }
  __device__ int n_binned() const { return range_.n_binned; }

 private:
  __device__ const T* position_of(const AtomRange::Place& place, int atom) const {
    return positions_ + 3 * (place.source + (atom - place.first));
  }

  /// Returns the first lane whose candidates end after candidate i. Collective: all lanes of the warp.
  __device__ static int lane_of(int end, int i) {
    int lane = 0;
    for (int step = 16; step > 0; step /= 2) {
      if (__shfl_sync(core::full_warp, end, lane + step - 1) <= i) lane += step;
    }
    return lane;
  }

  AtomRange range_;
  const T* positions_;
  double cutoff_;
  BinArrays<T> arrays_{};
};

enum class BinStep { count, arrive, settle };

template <BinStep Step, class T>
__global__ void __launch_bounds__(list_threads) fill_bins(const __grid_constant__ BinnedCandidates<T> bins) {
  const std::int64_t i = std::int64_t{blockIdx.x} * list_threads + threadIdx.x;
  if (i >= bins.n_binned()) return;
  const int atom = static_cast<int>(i);
  if constexpr (Step == BinStep::count) bins.count(atom);
  if constexpr (Step == BinStep::arrive) bins.arrive(atom);
  if constexpr (Step == BinStep::settle) bins.settle(atom);
}

template <class T>
void BinnedCandidates<T>::launch_bins(const Stream& stream) const {
  const std::int64_t n = range_.n_binned, n_blocks = ceil_div(n, list_threads);
  if (n == 0) return;
  core::clear(stream, arrays_.slot_first, n * std::int64_t{sizeof(int)});
  core::launch(fill_bins<BinStep::count, T>, n_blocks, list_threads, 0, stream, *this);
  core::launch(sum_counts<int>, std::int64_t{1}, list_threads, 0, stream, arrays_.slot_first, range_.n_binned);
  core::launch(fill_bins<BinStep::arrive, T>, n_blocks, list_threads, 0, stream, *this);
  core::launch(fill_bins<BinStep::settle, T>, n_blocks, list_threads, 0, stream, *this);
}

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
