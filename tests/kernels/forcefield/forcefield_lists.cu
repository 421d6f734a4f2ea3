#include "forcefield/cuda/forcefield_lists.cuh"
#include "forcefield_lists.hpp"

namespace rafter::test::RAFTER_BACKEND {
namespace {

using namespace forcefield_ladder;                  // NOLINT
using namespace forcefield_ladder::RAFTER_BACKEND;  // NOLINT

/// Counts the candidates of each atom, 32 at a time.
template <class T>
__global__ void count_tried(const __grid_constant__ BinnedCandidates<T> candidates, Atoms atoms, int* counts) {
  const std::int64_t atom = atoms.of_warp();
  if (atom >= atoms.end) return;
  int n = 0;
  candidates(static_cast<int>(atom), [&](bool, const ListedEdge<T>&) { n += 32; });
  if (threadIdx.x % 32 == 0) counts[atom] = n;
}

std::vector<int> n_tried(const Stream& stream, const BatchPlan& batch, const float* positions, double cutoff) {
  const AtomRange range = atoms_of(batch, 0, batch.n_molecules(), 0);
  Buffer<std::byte> memory(stream, bin_bytes<float>(range));
  Buffer<int> counts(stream, range.n_binned);
  const BinnedCandidates<float> candidates(range, positions, cutoff, memory.data());
  candidates.launch_bins(stream);
  const Atoms atoms{0, range.n_binned};
  core::launch(count_tried<float>, atoms.n_blocks(), list_threads, 0, stream, candidates, atoms, counts.data());
  std::vector<int> tried(static_cast<std::size_t>(range.n_binned));
  counts.copy_to(tried);
  return tried;
}

template <class T>
MadeLists<T> make_lists(const Stream& stream, const BatchPlan& batch, const T* positions, double cutoff,
                        std::int64_t most_paired) {
  const AtomRange range = atoms_of(batch, 0, batch.n_molecules(), most_paired);
  const std::int64_t n_edges = wait_for_edges(stream, range, positions, cutoff);
  Buffer<std::int64_t> memory(stream, list_bytes<T>(range) / 8);
  Buffer<ListedEdge<T>> edges(stream, n_edges);
  launch_lists(stream, range, positions, cutoff, memory.data(), edges.data());
  std::vector<std::int64_t> first(static_cast<std::size_t>(memory.size()));
  std::vector<ListedEdge<T>> listed(static_cast<std::size_t>(n_edges));
  memory.copy_to(first);
  edges.copy_to(listed);
  first.resize(static_cast<std::size_t>(range.n_atoms) + 1);
  MadeLists<T> made{{.first = first}, range.n_binned};
  std::int64_t molecule = 0, receiver = 0;
  for (std::int64_t e = 0; e < n_edges; ++e) {
    while (first[static_cast<std::size_t>(receiver) + 1] <= e) ++receiver;
    while (batch.order_first(molecule + 1) <= receiver) ++molecule;
    const ListedEdge<T>& edge = listed[static_cast<std::size_t>(e)];
    made.list.edges.push_back(
        {edge.sender - static_cast<std::int32_t>(batch.order_first(molecule)), {edge.x, edge.y, edge.z}});
  }
  return made;
}

}  // namespace

ListMakers list_makers() { return {make_lists<float>, make_lists<double>, n_tried}; }

}  // namespace rafter::test::RAFTER_BACKEND
