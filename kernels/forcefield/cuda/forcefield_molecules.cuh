// Launches with one molecule per block or per cluster (forcefield_molecule.cuh), and the choice between the two.
#pragma once

#include <algorithm>

#include "forcefield/cuda/forcefield_molecule.cuh"
#include "forcefield/forcefield_tunables.hpp"
#include "library/core/cuda/dynamic_shared.cuh"
#include "library/core/cuda/policy.cuh"
#include "library/core/stream/scratch.hpp"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

/// Computes one molecule per block; the state of block b is in `args.memory` + b * state_floats().
template <bool IsPainn>
__global__ void __launch_bounds__(block_threads, 2) compute_by_blocks(const __grid_constant__ MoleculeArgs args) {
  auto* shared = core::dynamic_shared<float>();
  const std::int64_t n_floats = state_floats(args.model, args.capacity, false);
  BlockTile tile(shared, args.model);
  const MoleculeGeometry geometry(shared + BlockTile::floats(args.model), args.capacity, nullptr, nullptr);
  const State<IsPainn> state(args.model, args.capacity, args.memory + blockIdx.x * n_floats, false);
  MoleculeBlock<IsPainn, BlockTile> block(args, geometry, state, tile);
  for (std::int64_t i = args.first_in_order + blockIdx.x; i < args.batch.n_molecules; i += gridDim.x)
    block.run(args.batch.order[i]);
}

/// Prefetches all matrices but those of filters to the L2; each block of a cluster prefetches a part. Collective: all
/// threads of the block.
__device__ inline void prefetch_weights(const ModelView& model, int rank) {
  const auto prefetch = [&](const float* from, std::int64_t n) {
    constexpr std::int64_t part = 4096;  // floats
    for (std::int64_t i = rank * part; i < n; i += ClusterTile::n_ranks * part)
      ptx::prefetch_l2(from + i, static_cast<int>(min(part, n - i) * std::int64_t{sizeof(float)}));
  };
  const std::int64_t begin = model.at.layer.context_hidden_weight;
  const std::int64_t n = model.at.layer_stride - (begin - model.at.layer.filter_hidden_weight);
  const auto layer = static_cast<std::int64_t>(threadIdx.x / 2);  // one thread per array
  const float* tensors = threadIdx.x % 2 == 0 ? model.transposed : model.tensors;
  if (layer < model.layers) prefetch(tensors + begin + layer * model.at.layer_stride, n);
  if (layer == model.layers) prefetch(tensors + model.at.readout_weight[0], model.at.size - model.at.readout_weight[0]);
}

/// The memory of a block of a cluster, in shared or in global memory.
struct ClusterMemory {
  static constexpr int edge_floats = sizeof(Edge) / sizeof(float);

  /// The number of floats of edges and the state's rows.
  __host__ __device__ static std::int64_t floats(const ModelView& model, std::int64_t capacity) {
    return capacity * capacity * edge_floats + row_floats(model, capacity, segment_channels);
  }
  __host__ __device__ static std::int64_t filter_floats(std::int64_t capacity) {
    return n_pairs(capacity) * PairFilters::size * 4;
  }
};

/// Computes one molecule per cluster. Memory that is null in `args` is in shared memory.
template <bool IsPainn>
__global__ void __launch_bounds__(block_threads, 1) compute_by_clusters(const __grid_constant__ MoleculeArgs args) {
  auto* shared = core::dynamic_shared<float>();
  ClusterTile tile(shared, args.model);
  float* sums = shared + ClusterTile::floats(args.model);
  float* geometry_memory = sums + sum_floats(args.model, args.capacity, false);
  float* rest = geometry_memory + MoleculeGeometry::floats(args.capacity);
  const std::int64_t n_floats = ClusterMemory::floats(args.model, args.capacity);
  float* memory = args.memory == nullptr ? rest : args.memory + blockIdx.x * n_floats;
  float* filters = args.filters == nullptr ? rest + n_floats
                                           : args.filters + blockIdx.x * ClusterMemory::filter_floats(args.capacity);
  const MoleculeGeometry geometry(geometry_memory, args.capacity, reinterpret_cast<Edge*>(memory),
                                  reinterpret_cast<float4*>(filters));
  float* rows = memory + args.capacity * args.capacity * ClusterMemory::edge_floats;
  const State<IsPainn> state(args.model, args.capacity, tile.channel_range(), rows, sums, false);
  prefetch_weights(args.model, tile.rank());
  ptx::cluster_sync();  // all blocks have started, so their shared memory may be written
  MoleculeBlock<IsPainn, ClusterTile> block(args, geometry, state, tile);
  const std::int64_t cluster = blockIdx.x / ClusterTile::n_ranks, n_clusters = gridDim.x / ClusterTile::n_ranks;
  for (std::int64_t i = args.first_in_order + cluster; i < args.batch.n_molecules; i += n_clusters)
    block.run(args.batch.order[i]);
}

/// Whether blocks support a model.
inline bool fits_blocks(const ModelView& model) {
  bool fits = model.table != nullptr && model.features % 4 == 0 && model.features <= 256;
  for (std::int64_t i = 0; i + 1 < model.n_readouts; ++i) fits = fits && model.readout[i] % 4 == 0;
  return fits && BlockTile::readout_width(model) <= 3 * model.features;
}

template <bool IsPainn>
void launch_blocks(const Stream& stream, MoleculeArgs args) {
  constexpr auto kernel = compute_by_blocks<IsPainn>;
  constexpr std::int64_t float_bytes = sizeof(float);
  const std::int64_t n_molecules = args.batch.n_molecules - args.first_in_order;
  const std::int64_t shared_bytes =
      (BlockTile::floats(args.model) + MoleculeGeometry::floats(args.capacity)) * float_bytes;
  const std::int64_t memory_bytes = state_floats(args.model, args.capacity, false) * float_bytes;
  core::allow_shared(kernel, shared_bytes);
  const std::int64_t fitting = std::max<std::int64_t>(core::scratch_limit(stream) / memory_bytes, 1);
  const std::int64_t n_blocks =
      std::min({n_molecules, fitting, core::resident_blocks(kernel, block_threads, shared_bytes)});
  args.memory = reinterpret_cast<float*>(core::scratch(stream, n_blocks * memory_bytes));
  core::launch(kernel, n_blocks, block_threads, shared_bytes, stream, args);
}

/// Launches clusters and returns true if the molecules are so few that clusters are faster.
template <bool IsPainn>
bool launch_clusters(const Stream& stream, MoleculeArgs args) {
  constexpr auto kernel = compute_by_clusters<IsPainn>;
  constexpr std::int64_t float_bytes = sizeof(float);
  constexpr int n_ranks = ClusterTile::n_ranks;
  const std::int64_t most_rounds = core::tuned(args.capacity <= 2 * tile_rows ? cluster_rounds : cluster_rounds_large);
  const std::int64_t n_molecules = args.batch.n_molecules - args.first_in_order;
  if (core::capability() < 90 || !ClusterTile::fits(args.model) ||
      n_molecules * n_ranks > most_rounds * stream.n_multiprocessors())
    return false;
  const std::int64_t memory_bytes = ClusterMemory::floats(args.model, args.capacity) * float_bytes;
  const std::int64_t filter_bytes = ClusterMemory::filter_floats(args.capacity) * float_bytes;
  std::int64_t shared_bytes = (ClusterTile::floats(args.model) + sum_floats(args.model, args.capacity, false) +
                               MoleculeGeometry::floats(args.capacity)) *
                              float_bytes;
  std::int64_t scratch_bytes = 0;  // per block
  const auto take = [&](std::int64_t bytes) {
    const bool is_on_chip = scratch_bytes == 0 && shared_bytes + bytes <= core::most_shared_bytes();
    (is_on_chip ? shared_bytes : scratch_bytes) += bytes;
    return is_on_chip;
  };
  const bool has_memory = take(memory_bytes), has_filters = take(filter_bytes);
  core::allow_shared(kernel, shared_bytes);
  const std::int64_t fitting =
      scratch_bytes == 0 ? n_molecules : core::scratch_limit(stream) / (n_ranks * scratch_bytes);
  const std::int64_t n_clusters =
      std::min({n_molecules, fitting, core::resident_clusters(kernel, n_ranks, block_threads, shared_bytes)});
  if (n_clusters == 0) return false;
  const std::int64_t n_blocks = n_clusters * n_ranks;
  if (scratch_bytes > 0) {
    std::byte* scratch = core::scratch(stream, n_blocks * scratch_bytes);
    if (!has_filters) args.filters = reinterpret_cast<float*>(scratch);
    if (!has_memory) args.memory = reinterpret_cast<float*>(scratch + n_blocks * filter_bytes);
  }
  core::launch_clusters(kernel, n_blocks, n_ranks, block_threads, shared_bytes, stream, args);
  return true;
}

template <bool IsPainn>
void launch_molecules(const Stream& stream, const MoleculeArgs& args) {
  if (!launch_clusters<IsPainn>(stream, args)) launch_blocks<IsPainn>(stream, args);
}

/// Launches the molecules from this index of the batch's order on.
inline void launch_molecules(const Stream& stream, const ForceFieldArgs<float>& args, std::int64_t first_in_order) {
  const BatchPlan& batch = *args.batch;
  if (first_in_order == batch.n_molecules()) return;
  const std::int64_t largest = batch.order_first(first_in_order + 1) - batch.order_first(first_in_order);
  const MoleculeArgs all{.model = args.model->view(),
                         .batch = batch.view(),
                         .first_in_order = first_in_order,
                         .positions = args.positions,
                         .energies = args.energies,
                         .forces = args.forces,
                         .virials = args.virials,
                         .memory = nullptr,
                         .filters = nullptr,
                         .capacity = static_cast<int>(std::max<std::int64_t>(largest, 1)),
                         .counters = MoleculeStage::begin(args.stages)};
  all.model.is_painn() ? launch_molecules<true>(stream, all) : launch_molecules<false>(stream, all);
}

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
