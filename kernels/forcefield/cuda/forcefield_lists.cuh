// Lists of neighbours on a GPU, for molecules of any size and cells that repeat: a warp has an atom and tries 32
// candidates at a time, once to count and once to write. Edges are by receiver, then sender, then image.
//
// Along a periodic vector, a pair is first brought together by whole cells, and then every image is tried that the
// cutoff can reach. A pair and the same the other way round get opposite shifts, so their lengths have the same bits.
#pragma once

#include "core/scan.cuh"
#include "forcefield/cuda/forcefield_length.cuh"
#include "forcefield/forcefield_model.hpp"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

inline constexpr int list_threads = 256;

/// The atoms of some molecules in the batch's order, numbered from 0.
struct AtomRange {
  BatchView batch;
  std::int64_t first_slot;
  std::int64_t n_slots;
  int n_atoms;

  /// Where an atom's molecule begins, where the atom stands in the caller's arrays, and which molecule it is.
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
};

/// An edge in a list.
template <class T>
struct alignas(4 * sizeof(T)) ListedEdge {
  T x, y, z;   // from the receiver to the sender, or to an image of it
  int sender;  // in the range
};

/// Edges by receiver.
template <class T>
struct EdgeListView {
  const std::int64_t* first;  // [atoms + 1]
  const ListedEdge<T>* edges;
};

/// Images of a cell that are tried, along each vector from -reach to reach.
struct Images {
  int reach[3];
  int n;

  __device__ explicit Images(const CellGeometry* cell, double cutoff) : reach{}, n(1) {
    if (cell == nullptr) return;
    for (int k = 0; k < 3; ++k) {
      // What is left of a pair's distance is half a cell at most, and a little for rounding.
      if (cell->is_periodic[k]) reach[k] = static_cast<int>(floor(cutoff / cell->heights[k] + 0.5 + 1e-6));
      n *= 2 * reach[k] + 1;
    }
  }
};

/// r + the whole cells that bring it nearest to 0, and those of image number `image`.
template <class T>
__device__ void shift_edge(const CellGeometry& cell, const Images& images, int image, T (&r)[3]) {
  double cells[3] = {};
  for (int k = 2; k >= 0; --k) {
    const int width = 2 * images.reach[k] + 1;
    if (cell.is_periodic[k]) {
      const double along = cell.inverse[k][0] * static_cast<double>(r[0]) +
                           cell.inverse[k][1] * static_cast<double>(r[1]) +
                           cell.inverse[k][2] * static_cast<double>(r[2]);
      cells[k] = static_cast<double>(image % width - images.reach[k]) - rint(along);
    }
    image /= width;
  }
  for (int x = 0; x < 3; ++x) {
    const double moved = cells[0] * cell.vectors[0][x] + cells[1] * cell.vectors[1][x] + cells[2] * cell.vectors[2][x];
    r[x] += static_cast<T>(moved);
  }
}

/// f(sender, x, y, z) with true or false in each lane, for an atom's candidates: `take` says what becomes of them.
template <class T, class Take>
__device__ void try_candidates(const AtomRange& range, const T* positions, double cutoff, int atom, const Take& take) {
  const AtomRange::Place place = range.place_of(atom);
  const CellGeometry* cells = range.batch.cells;
  const CellGeometry* cell = cells == nullptr ? nullptr : cells + place.molecule;
  const Images images(cell, cutoff);
  const T* const all = positions + 3 * place.source;
  const T* const mine = all + 3 * std::int64_t{atom - place.first};
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t n_candidates = std::int64_t{place.n} * images.n;
  for (std::int64_t base = 0; base < n_candidates; base += 32) {
    const std::int64_t i = base + lane;
    const bool is_there = i < n_candidates;
    const int other = is_there ? static_cast<int>(i / images.n) : 0;
    T r[3] = {all[3 * std::int64_t{other}] - mine[0], all[3 * std::int64_t{other} + 1] - mine[1],
              all[3 * std::int64_t{other} + 2] - mine[2]};
    bool is_itself = place.first + other == atom;
    if (cell != nullptr) {
      const int image = static_cast<int>(i % images.n);
      shift_edge(*cell, images, image, r);
      is_itself = is_itself && image == images.n / 2;
    }
    const bool is_near = is_there && !is_itself && sqrt(squared_length(r[0], r[1], r[2])) <= static_cast<T>(cutoff);
    take(is_near, ListedEdge<T>{r[0], r[1], r[2], place.first + other});
  }
}

template <class T>
__global__ void __launch_bounds__(list_threads)
    count_neighbours(AtomRange range, const T* positions, double cutoff, std::int64_t* counts) {
  const std::int64_t warp = (std::int64_t{blockIdx.x} * list_threads + threadIdx.x) / 32;
  if (warp >= range.n_atoms) return;
  std::int64_t n = 0;
  try_candidates(range, positions, cutoff, static_cast<int>(warp),
                 [&](bool is_near, const ListedEdge<T>&) { n += __popc(__ballot_sync(core::full_warp, is_near)); });
  if (threadIdx.x % 32 == 0) counts[warp] = n;
}

/// Counts become where each atom's edges begin, in their place; the last is how many there are. One block.
static __global__ void __launch_bounds__(list_threads) sum_counts(std::int64_t* counts, int n_atoms) {
  __shared__ core::BlockSumStorage<std::int64_t, list_threads> storage;
  std::int64_t before = 0;
  for (int base = 0; base < n_atoms; base += list_threads) {
    const int i = base + static_cast<int>(threadIdx.x);
    const std::int64_t mine = i < n_atoms ? counts[i] : 0;
    const auto sum = core::block_running_sum<std::int64_t, list_threads>(mine, storage);
    if (i < n_atoms) counts[i] = before + sum.before;
    before += sum.total;
    __syncthreads();  // the storage is free
  }
  if (threadIdx.x == 0) counts[n_atoms] = before;
}

template <class T>
__global__ void __launch_bounds__(list_threads) write_neighbours(AtomRange range, const T* positions, double cutoff,
                                                                 const std::int64_t* first, ListedEdge<T>* edges) {
  const std::int64_t warp = (std::int64_t{blockIdx.x} * list_threads + threadIdx.x) / 32;
  if (warp >= range.n_atoms) return;
  const unsigned lanes_before = (1U << threadIdx.x % 32) - 1;
  ListedEdge<T>* to = edges + first[warp];
  try_candidates(range, positions, cutoff, static_cast<int>(warp), [&](bool is_near, const ListedEdge<T>& edge) {
    const unsigned near = __ballot_sync(core::full_warp, is_near);
    if (is_near) to[__popc(near & lanes_before)] = edge;
    to += __popc(near);
  });
}

/// Enqueues where each atom's edges begin, [atoms + 1].
template <class T>
void launch_counts(const Stream& stream, const AtomRange& range, const T* positions, double cutoff,
                   std::int64_t* first) {
  core::launch(count_neighbours<T>, ceil_div(std::int64_t{range.n_atoms} * 32, list_threads), list_threads, 0, stream,
               range, positions, cutoff, first);
  core::launch(sum_counts, std::int64_t{1}, list_threads, 0, stream, first, range.n_atoms);
}

/// Waits for the number of edges of a range, which a capture cannot.
template <class T>
std::int64_t wait_for_edges(const Stream& stream, const AtomRange& range, const T* positions, double cutoff) {
  auto* first =
      reinterpret_cast<std::int64_t*>(stream.scratch((range.n_atoms + 1) * std::int64_t{sizeof(std::int64_t)}));
  launch_counts(stream, range, positions, cutoff, first);
  std::int64_t n_edges = 0;
  detail::copy_out(stream, &n_edges, first + range.n_atoms, sizeof n_edges);
  return n_edges;
}

template <class T>
void launch_lists(const Stream& stream, const AtomRange& range, const T* positions, double cutoff, std::int64_t* first,
                  ListedEdge<T>* edges) {
  launch_counts(stream, range, positions, cutoff, first);
  core::launch(write_neighbours<T>, ceil_div(std::int64_t{range.n_atoms} * 32, list_threads), list_threads, 0, stream,
               range, positions, cutoff, first, edges);
}

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
