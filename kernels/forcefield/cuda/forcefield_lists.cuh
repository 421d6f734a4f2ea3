// Neighbour lists on a GPU, for molecules of any size and periodic cells: a warp processes one atom and tests 32
// candidates at a time, once to count and once to write. Candidates are all atoms of the molecule, by sender and then
// by image, or for a large molecule those of the bins around the atom (forcefield_bins.cuh).
#pragma once

#include "forcefield/cuda/forcefield_bins.cuh"
#include "library/core/cuda/scan.cuh"
#include "library/core/stream/scratch.hpp"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

/// Edges sorted by receiver.
template <class T>
struct EdgeListView {
  const std::int64_t* first;  // [atoms + 1]
  const ListedEdge<T>* edges;
};

/// The images of a cell that are tested, along each vector from -reach to reach.
struct Images {
  int reach[3];
  std::int64_t n;

  __device__ explicit Images(const CellGeometry* cell, double cutoff) : reach{}, n(1) {
    if (cell == nullptr) return;
    for (int k = 0; k < 3; ++k) {
      // The remaining distance of a pair is at most half a cell, plus a margin for rounding.
      if (cell->is_periodic[k]) reach[k] = static_cast<int>(floor(cutoff / cell->heights[k] + 0.5 + 1e-6));
      n *= 2 * reach[k] + 1;
    }
  }
};

/// Candidates: all atoms of a molecule and their images. Along a periodic vector, a pair is first shifted together by
/// whole cells; then every image within reach of the cutoff is tested. If the molecule is small enough for a block, the
/// candidates of atom a are a ^ k in the order of k, as in a block, which gives bitwise the same sums.
template <class T>
class PairedCandidates {
 public:
  PairedCandidates(const AtomRange& range, const T* positions, double cutoff)
      : range_(range), positions_(positions), cutoff_(cutoff) {}

  /// Calls take(is_near, edge) in each lane of the atom's warp, for 32 candidates at a time. Collective: all lanes of
  /// the warp.
  template <class Take>
  __device__ void operator()(int atom, const Take& take) const {
    const AtomRange::Place place = range_.place_of(atom);
    const CellGeometry* cell = range_.cell_of(place);
    const Images images(cell, cutoff_);
    const bool fits_block = cell == nullptr && place.n <= most_block_atoms;
    const std::int64_t own = atom - place.first;
    const T* const all = positions_ + 3 * place.source;
    const T* const mine = all + 3 * own;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const std::int64_t n_candidates = fits_block ? next_power_of_two(place.n) : place.n * images.n;
    for (std::int64_t base = 0; base < n_candidates; base += 32) {
      const std::int64_t i = base + lane, image = i % images.n, candidate = fits_block ? own ^ i : i / images.n;
      const bool in_range = i < n_candidates && candidate < place.n;
      const std::int64_t other = in_range ? candidate : 0;
      T r[3] = {all[3 * other] - mine[0], all[3 * other + 1] - mine[1], all[3 * other + 2] - mine[2]};
      if (cell != nullptr) shift(*cell, images, image, r);
      const bool is_itself = other == own && image == images.n / 2;
      take(in_range && !is_itself && is_near(r, cutoff_),
           ListedEdge<T>{r[0], r[1], r[2], place.first + static_cast<int>(other)});
    }
  }

 private:
  /// Returns r plus the whole cells that bring it nearest to 0, plus those of image number `image`.
  __device__ static void shift(const CellGeometry& cell, const Images& images, std::int64_t image, T (&r)[3]) {
    double cells[3] = {};
    for (int k = 2; k >= 0; --k) {
      const int width = 2 * images.reach[k] + 1;
      if (cell.is_periodic[k])
        cells[k] = static_cast<double>(image % width - images.reach[k]) - rint(coordinate(cell, k, r));
      image /= width;
    }
    add_cells(cell, cells, r);
  }

  AtomRange range_;
  const T* positions_;
  double cutoff_;
};

/// The atoms [begin, end) of the range, one per warp.
struct Atoms {
  int begin, end;
  std::int64_t n_blocks() const { return ceil_div(std::int64_t{end - begin} * 32, list_threads); }
  /// The atom of this warp; `end` or more if it has none. Collective: all threads of the block.
  __device__ std::int64_t of_warp() const {
    return begin + (std::int64_t{blockIdx.x} * list_threads + threadIdx.x) / 32;
  }
};

template <class Candidates>
__global__ void __launch_bounds__(list_threads)
    count_neighbours(const __grid_constant__ Candidates candidates, Atoms atoms, std::int64_t* counts) {
  const std::int64_t atom = atoms.of_warp();
  if (atom >= atoms.end) return;
  std::int64_t n = 0;
  candidates(static_cast<int>(atom),
             [&](bool is_near, const auto&) { n += __popc(__ballot_sync(core::full_warp, is_near)); });
  if (threadIdx.x % 32 == 0) counts[atom] = n;
}

template <class Candidates, class T>
__global__ void __launch_bounds__(list_threads)
    write_neighbours(const __grid_constant__ Candidates candidates, Atoms atoms, const std::int64_t* first,
                     ListedEdge<T>* edges) {
  const std::int64_t atom = atoms.of_warp();
  if (atom >= atoms.end) return;
  const unsigned lanes_before = (1U << threadIdx.x % 32) - 1;
  ListedEdge<T>* to = edges + first[atom];
  candidates(static_cast<int>(atom), [&](bool is_near, const ListedEdge<T>& edge) {
    const unsigned near = __ballot_sync(core::full_warp, is_near);
    if (is_near) to[__popc(near & lanes_before)] = edge;
    to += __popc(near);
  });
}

/// The lists of a range, in `memory` of list_bytes().
template <class T>
class ListMaker {
 public:
  ListMaker(const Stream& stream, const AtomRange& range, const T* positions, double cutoff, std::byte* memory)
      : stream_(stream),
        range_(range),
        first_(reinterpret_cast<std::int64_t*>(memory)),
        paired_(range, positions, cutoff),
        binned_(range, positions, cutoff, memory + first_bytes(range.n_atoms)) {}

  static std::int64_t first_bytes(std::int64_t n_atoms) {
    return ceil_div((n_atoms + 1) * std::int64_t{sizeof(std::int64_t)}, 256) * 256;
  }

  /// Enqueues the computation of each atom's first edge, [atoms + 1], and of the data that `write` needs.
  void count() const {
    binned_.launch_bins(stream_);
    core::launch(count_neighbours<BinnedCandidates<T>>, binned().n_blocks(), list_threads, 0, stream_, binned_,
                 binned(), first_);
    core::launch(count_neighbours<PairedCandidates<T>>, paired().n_blocks(), list_threads, 0, stream_, paired_,
                 paired(), first_);
    core::launch(sum_counts<std::int64_t>, std::int64_t{1}, list_threads, 0, stream_, first_, range_.n_atoms);
  }

  void write(ListedEdge<T>* edges) const {
    core::launch(write_neighbours<BinnedCandidates<T>, T>, binned().n_blocks(), list_threads, 0, stream_, binned_,
                 binned(), first_, edges);
    core::launch(write_neighbours<PairedCandidates<T>, T>, paired().n_blocks(), list_threads, 0, stream_, paired_,
                 paired(), first_, edges);
  }

 private:
  Atoms binned() const { return {0, range_.n_binned}; }
  Atoms paired() const { return {range_.n_binned, range_.n_atoms}; }

  const Stream& stream_;
  AtomRange range_;
  std::int64_t* first_;
  PairedCandidates<T> paired_;
  BinnedCandidates<T> binned_;
};

/// The bytes needed to build the lists of a range: each atom's first edge, [atoms + 1], followed by the bins.
template <class T>
std::int64_t list_bytes(const AtomRange& range) {
  return ListMaker<T>::first_bytes(range.n_atoms) + bin_bytes<T>(range);
}

/// Waits for the number of edges of a range.
template <class T>
std::int64_t wait_for_edges(const Stream& stream, const AtomRange& range, const T* positions, double cutoff) {
  require_waiting(stream);
  std::byte* memory = core::scratch(stream, list_bytes<T>(range));
  ListMaker<T>(stream, range, positions, cutoff, memory).count();
  std::int64_t n_edges = 0;
  detail::copy_out(stream, &n_edges, reinterpret_cast<std::int64_t*>(memory) + range.n_atoms, sizeof n_edges);
  return n_edges;
}

/// Builds the lists in `first`, which has list_bytes().
template <class T>
void launch_lists(const Stream& stream, const AtomRange& range, const T* positions, double cutoff, std::int64_t* first,
                  ListedEdge<T>* edges) {
  const ListMaker<T> maker(stream, range, positions, cutoff, reinterpret_cast<std::byte*>(first));
  maker.count();
  maker.write(edges);
}

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
