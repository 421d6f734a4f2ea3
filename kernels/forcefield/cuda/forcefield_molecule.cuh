// A whole molecule in one block or cluster, from the neighbours to the forces: one launch for the whole batch.
//
// If there are many molecules, each is processed by a block. Blocks are persistent: block b processes molecules b, b +
// n_blocks, b + 2 n_blocks, ..., so the memory for states does not grow with the batch, and stays in the L2 for small
// molecules. Warp a processes atom a and its neighbours a ^ k in the order of k: the warp of a ^ k processes a at about
// the same time, so the filters of a pair are loaded to the L1 once.
//
// If there are few, each is processed by a cluster (forcefield_cluster.cuh): each of its blocks has 16 channels of all
// atoms, in shared memory if they fit, and prefetches weights and filters. Messages occupy only some of the warps;
// therefore, before the messages of a layer, all warps evaluate the filters of its pairs. Both give bitwise the same
// results.
//
// Races: every stage ends with a block barrier, which orders its writes to the state before the next stage's reads, and
// its reads of shared memory before the next stage's writes.
#pragma once

#include "forcefield/cuda/forcefield_cluster.cuh"
#include "forcefield/cuda/forcefield_layers.cuh"
#include "forcefield/cuda/forcefield_messages.cuh"
#include "forcefield/cuda/forcefield_range.cuh"
#include "forcefield/cuda/forcefield_readout.cuh"
#include "forcefield/cuda/forcefield_sums.cuh"
#include "library/core/cuda/stage_ticks.cuh"
#include "library/ptx/cache_hints.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

struct MoleculeStage {
  enum { neighbours, message, update, readout, update_backward, message_backward, sums };
  static core::StageCounters begin(const core::Stages& stages) {
    return stages.begin_fused(
        {"neighbours", "message", "update", "readout", "update backward", "message backward", "sums"});
  }
};

struct MoleculeArgs {
  ModelView model;
  BatchView batch;
  std::int64_t first_in_order;  // the first small molecule of the batch's order
  const float* positions;
  double* energies;
  float* forces;    // or null
  double* virials;  // or null
  float* memory;    // of all blocks; the kernels document it
  float* filters;   // of all blocks of clusters; null: in shared memory
  int capacity;     // most atoms of a molecule
  core::StageCounters counters;
};

/// A block's data of its molecule.
struct MoleculeGeometry {
  int capacity;
  float* positions;       // [capacity][3], in shared memory
  int* n_neighbours;      // [capacity], in shared memory
  unsigned char* others;  // [capacity][capacity]: neighbours a ^ k of atom a, in the order of k
  Edge* edges;            // [capacity][capacity]: the neighbours' edges, or null
  float4* filters;        // [pairs of capacity] PairFilters of the current layer, or null

  /// The number of floats in shared memory.
  __host__ __device__ static std::int64_t floats(std::int64_t capacity) {
    return capacity * 4 + (capacity * capacity + 15) / 16 * 4;
  }
  __device__ MoleculeGeometry(float* memory, int its_capacity, Edge* its_edges, float4* its_filters)
      : capacity(its_capacity),
        positions(memory),
        n_neighbours(reinterpret_cast<int*>(positions + capacity * 3)),
        others(reinterpret_cast<unsigned char*>(n_neighbours + capacity)),
        edges(its_edges),
        filters(its_filters) {}

  template <bool IsPainn>
  __device__ Edge edge(const ModelView& model, int atom, int other) const {
    const float *a = positions + 3 * atom, *b = positions + 3 * other;
    return make_edge<IsPainn>(model, b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  }
};
static_assert(most_block_atoms <= 256, "a neighbour's index is a byte");

/// The neighbours of a lane's atom, with filters from the table.
template <bool IsPainn>
class BlockNeighbours {
 public:
  __device__ BlockNeighbours(const State<IsPainn>& state, int layer, const MessageLane& lane,
                             const MoleculeGeometry& geometry)
      : state_(state), layer_(layer), lane_(lane), geometry_(geometry) {}

  template <class F>
  __device__ void operator()(const F& f) const {
    const unsigned char* others = geometry_.others + lane_.atom * geometry_.capacity;
    const int n = geometry_.n_neighbours[lane_.atom];
#pragma unroll 1
    for (int i = 0; i < n; ++i) {
      const int other = others[i];
      const Edge edge = geometry_.template edge<IsPainn>(state_.model, lane_.atom, other);
      f(other, edge, TabulatedFilters(state_.model, layer_, state_.first_channel + lane_.channel, edge));
    }
  }

 private:
  const State<IsPainn>& state_;
  int layer_;
  const MessageLane& lane_;
  const MoleculeGeometry& geometry_;
};

/// The neighbours of a lane's atom, with stored edges and precomputed filters.
template <bool IsPainn>
class ClusterNeighbours {
 public:
  __device__ ClusterNeighbours(const State<IsPainn>&, int, const MessageLane& lane, const MoleculeGeometry& geometry)
      : lane_(lane), geometry_(geometry) {}

  template <class F>
  __device__ void operator()(const F& f) const {
    const int first = lane_.atom * geometry_.capacity, n = geometry_.n_neighbours[lane_.atom];
#pragma unroll 2
    for (int i = 0; i < n; ++i) {
      const int other = geometry_.others[first + i];
      f(other, geometry_.edges[first + i],
        PairFilters(geometry_.filters, pair_number(lane_.atom, other), lane_.channel / 2));
    }
  }

 private:
  const MessageLane& lane_;
  const MoleculeGeometry& geometry_;
};

/// The work of a block on a molecule: the whole molecule (Tile = BlockTile) or a part of its channels as a member of a
/// cluster (ClusterTile). Collective: all threads of the block call the same functions.
template <bool IsPainn, class Tile>
class MoleculeBlock {
 public:
  __device__ MoleculeBlock(const MoleculeArgs& args, const MoleculeGeometry& geometry, const State<IsPainn>& state,
                           Tile& tile)
      : args_(args),
        geometry_(geometry),
        state_(state),
        tile_(tile),
        layers_(state_, tile),
        readout_(state_, tile),
        ticks_(args.counters) {}

  __device__ void run(std::int64_t molecule) {
    first_ = args_.batch.first[molecule];
    n_ = static_cast<int>(args_.batch.first[molecule + 1] - first_);
    const int n_layers = state_.n_layers;
    const bool wants_gradient = args_.forces != nullptr || args_.virials != nullptr;
    ticks_.begin(MoleculeStage::neighbours);
    if constexpr (!IsPainn) layers_.fetch_update(0);
    find_neighbours();
    for (int layer = 0; layer < n_layers; ++layer) {
      ticks_.begin(MoleculeStage::message);
      send(layer);
      ticks_.begin(MoleculeStage::update);
      if constexpr (IsPainn) for_each_chunk(3 * n_, [&](Chunk rows) { layers_.mix(layer, rows); });
      for_each_chunk(n_, [&](Chunk atoms) { layers_.update(layer, atoms); });
    }
    ticks_.begin(MoleculeStage::readout);
    if (wants_gradient) layers_.fetch_update_backward(n_layers - 1);
    for_each_chunk(n_, [&](Chunk atoms) { readout_.run(atoms, wants_gradient); });
    for (int layer = n_layers - 1; wants_gradient && layer >= 0; --layer) {
      ticks_.begin(MoleculeStage::update_backward);
      for_each_chunk(n_, [&](Chunk atoms) { layers_.update_backward(layer, atoms); });
      if constexpr (IsPainn) for_each_chunk(3 * n_, [&](Chunk rows) { layers_.mix_backward(layer, rows); });
      ticks_.begin(MoleculeStage::message_backward);
      send_backward(layer);
    }
    ticks_.begin(MoleculeStage::sums);
    if (wants_gradient) gather_forces();
    if (rank() == 0)
      write_results(state_, {0, n_, molecule, first_, false}, geometry_.positions,
                    {args_.energies, args_.forces, args_.virials});
    __syncthreads();  // all threads have read the state before the next molecule overwrites it
    ticks_.end();
  }

 private:
  static constexpr bool is_in_cluster = std::is_same_v<Tile, ClusterTile>;
  using Neighbours = std::conditional_t<is_in_cluster, ClusterNeighbours<IsPainn>, BlockNeighbours<IsPainn>>;

  __device__ int rank() const {
    if constexpr (is_in_cluster) return tile_.rank();
    return 0;
  }

  /// Loads positions and the elements' scalars, and lists neighbours.
  __device__ void find_neighbours() const {
    for (int i = static_cast<int>(threadIdx.x); i < 3 * n_; i += n_threads())
      geometry_.positions[i] = args_.positions[3 * first_ + i];
    const float* embedding = args_.model.tensors + args_.model.at.embedding;
    for_each_pair(n_, all_columns(state_.n_channels), [&](int atom, int, int c) {
      const float* row = embedding + args_.batch.elements[first_ + atom] * args_.model.features + state_.first_channel;
      store2(state_.layer_row(0, state_.at.s, 1, atom) + c, __ldg(reinterpret_cast<const float2*>(row + c)));
    });
    __syncthreads();  // all positions are written
    for (int atom = static_cast<int>(threadIdx.x) / 32; atom < n_; atom += n_warps()) list_neighbours(atom);
    __syncthreads();  // all neighbours and scalars are written
  }

  __device__ void list_neighbours(int atom) const {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int end = next_power_of_two(n_);
    const auto cutoff = static_cast<float>(args_.model.cutoff);
    unsigned char* to = geometry_.others + atom * geometry_.capacity;
    int n = 0;
    for (int step = 0; step < end; step += 32) {
      const int other = atom ^ (step + lane);
      const bool is_other = step + lane < end && other < n_ && other != atom;
      const Edge edge = geometry_.template edge<IsPainn>(args_.model, atom, is_other ? other : atom);
      const bool is_near = is_other && edge.length <= cutoff;
      const unsigned near = __ballot_sync(core::full_warp, is_near);
      const int place = n + __popc(near & ((1U << lane) - 1));
      if (is_near) to[place] = static_cast<unsigned char>(other);
      if constexpr (is_in_cluster) {
        if (is_near) geometry_.edges[atom * geometry_.capacity + place] = edge;
        if (is_near && other > atom && atom % ClusterTile::n_ranks == rank()) prefetch_filters(args_.model, edge);
      }
      n += __popc(near);
    }
    if (lane == 0) geometry_.n_neighbours[atom] = n;
  }

  /// Evaluates the filters of all pairs of neighbours, 8 lanes each.
  __device__ void evaluate_filters(int layer) const {
    if constexpr (is_in_cluster) {
      const auto cutoff = static_cast<float>(args_.model.cutoff);
      for (int i = static_cast<int>(threadIdx.x); i < n_pairs(n_) * segment_lanes; i += n_threads()) {
        const int pair = i / segment_lanes, lane = i % segment_lanes;
        const int high = static_cast<int>((1 + sqrtf(static_cast<float>(1 + 8 * pair))) / 2);  // exact for squares
        const int low = pair - high * (high - 1) / 2;
        const Edge edge = geometry_.template edge<IsPainn>(args_.model, low, high);
        if (!(edge.length <= cutoff)) continue;
        const TabulatedFilters filters(args_.model, layer, state_.first_channel + 2 * lane, edge);
        float4* to = geometry_.filters + pair * PairFilters::size + lane;
#pragma unroll
        for (int filter = 0; filter < n_filters; ++filter) {
          const auto [value, slope] = filters.dual(filter);
          to[filter * segment_lanes] = {value.x, value.y, slope.x, slope.y};
        }
      }
      __syncthreads();  // all filters are written
    }
  }

  /// Calls f(lane) for all atoms and channels.
  template <class F>
  __device__ void for_each_lane(const F& f) const {
    const int warp = static_cast<int>(threadIdx.x) / 32;
    if constexpr (is_in_cluster) {
      constexpr int together = 32 / segment_lanes;  // atoms of a warp
      for (int atoms = warp * together; atoms < n_; atoms += n_warps() * together) {
        const int lane = static_cast<int>(threadIdx.x) % 32, atom = atoms + lane / segment_lanes;
        f(MessageLane{min(atom, n_ - 1), lane % segment_lanes * 2, atom < n_});
      }
    } else {
      for (int item = warp; item < n_ * n_groups(args_.model); item += n_warps())
        f(lane_of_group(state_, item % n_, item / n_));
    }
    __syncthreads();  // all results are written
  }

  __device__ void send(int layer) {
    if constexpr (IsPainn) for_each_chunk(n_, [&](Chunk atoms) { layers_.make_context(layer, atoms); });
    layers_.fetch_update(layer);
    evaluate_filters(layer);
    for_each_lane([&](const MessageLane& lane) {
      pass_messages<IsPainn>(state_, layer, lane, Neighbours(state_, layer, lane, geometry_));
    });
  }

  __device__ void send_backward(int layer) {
    if (!IsPainn && layer > 0) layers_.fetch_update_backward(layer - 1);
    if (layer + 1 < state_.n_layers) evaluate_filters(layer);  // the last layer's are still in place
    for_each_lane([&](const MessageLane& lane) {
      pass_messages_backward<IsPainn, false>(state_, layer, lane, Neighbours(state_, layer, lane, geometry_));
    });
    if (IsPainn && layer > 0) for_each_chunk(n_, [&](Chunk atoms) { layers_.make_context_backward(layer, atoms); });
  }

  /// Copies the blocks' shares of forces to the first block of the cluster.
  __device__ void gather_forces() const {
    if constexpr (is_in_cluster) {
      float* share = state_.forces + rank() * state_.capacity * 3;
      for (int i = static_cast<int>(threadIdx.x); rank() != 0 && i < 3 * n_; i += n_threads())
        ptx::RemoteShared(share + i, 0U).store(share[i]);
      ptx::cluster_sync();
    }
  }

  const MoleculeArgs& args_;
  const MoleculeGeometry& geometry_;
  const State<IsPainn>& state_;
  Tile& tile_;
  Layers<IsPainn, Tile> layers_;
  Readout<IsPainn, Tile> readout_;
  core::StageTicks ticks_;
  std::int64_t first_ = 0;
  int n_ = 0;
};

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
