// A block has a molecule to itself, from the neighbours to the forces: one launch for the whole batch.
//
// Blocks are as many as the GPU holds and take molecules in turn, so the state of all of them is bounded however large
// the batch is, and stays in the L2 for small molecules. Warp a works on atom a and takes its neighbours a ^ k in the
// order of k: the warp of a ^ k works on a at about the same time, and the filters that both want come to the block
// once. Where a block is alone on its multiprocessor, it asks for weights and filters before it needs them.
#pragma once

#include "core/dynamic_shared.cuh"
#include "core/stage_ticks.cuh"
#include "forcefield/cuda/forcefield_layers.cuh"
#include "forcefield/cuda/forcefield_messages.cuh"
#include "forcefield/cuda/forcefield_sums.cuh"
#include "ptx/cache_hints.cuh"

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
  std::int64_t first_in_order;  // of the molecules that are small
  const float* positions;
  double* energies;
  float* forces;    // or null
  double* virials;  // or null
  float* states;    // of each block
  int capacity;     // atoms of a state
  core::StageCounters counters;
};

/// What a block keeps in shared memory.
struct MoleculeShared {
  int capacity;
  float* positions;       // [capacity][3]
  int* n_neighbours;      // [capacity]
  unsigned char* others;  // [capacity][capacity]: neighbours of an atom, in the order that lets two warps meet
  Tile tile;

  __host__ __device__ static std::int64_t bytes(const ModelView& model, std::int64_t capacity) {
    const std::int64_t floats = Tile::floats(static_cast<int>(model.features)) + capacity * 4;
    return floats * std::int64_t{sizeof(float)} + capacity * capacity;
  }
  __device__ MoleculeShared(float* memory, const ModelView& model, int its_capacity)
      : capacity(its_capacity),
        positions(memory + Tile::floats(static_cast<int>(model.features))),
        n_neighbours(reinterpret_cast<int*>(positions + capacity * 3)),
        others(reinterpret_cast<unsigned char*>(n_neighbours + capacity)),
        tile(memory, static_cast<int>(model.features)) {}

  __device__ EdgeVector edge(int atom, int other) const {
    const float *a = positions + 3 * atom, *b = positions + 3 * other;
    return edge_vector(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  }
};
static_assert(most_block_atoms <= 256, "a neighbour is a byte");

/// The neighbours of an atom, `Together` at a time.
template <int Together>
class BlockNeighbours {
 public:
  __device__ BlockNeighbours(const MoleculeShared& shared, int atom) : shared_(shared), atom_(atom) {}

  template <class F>
  __device__ void operator()(const F& f) const {
    const unsigned char* others = shared_.others + atom_ * shared_.capacity;
    const int n = shared_.n_neighbours[atom_];
#pragma unroll Together
    for (int i = 0; i < n; ++i) {
      const int other = others[i];
      f(other, shared_.edge(atom_, other));
    }
  }

 private:
  const MoleculeShared& shared_;
  int atom_;
};

template <bool IsPainn, bool IsAlone>
class MoleculeBlock {
 public:
  __device__ MoleculeBlock(const MoleculeArgs& args, const MoleculeShared& shared, const State<IsPainn>& state)
      : args_(args), shared_(shared), state_(state), layers_(state_, shared.tile), ticks_(args.counters) {}

  __device__ void run(std::int64_t molecule) {
    first_ = args_.batch.first[molecule];
    n_ = static_cast<int>(args_.batch.first[molecule + 1] - first_);
    const int n_layers = state_.n_layers;
    const bool wants_gradient = args_.forces != nullptr || args_.virials != nullptr;
    ticks_.begin(MoleculeStage::neighbours);
    find_neighbours();
    for (int layer = 0; layer < n_layers; ++layer) {
      ticks_.begin(MoleculeStage::message);
      send(layer);
      ticks_.begin(MoleculeStage::update);
      if constexpr (IsPainn) for_each_chunk(3 * n_, [&](Chunk rows) { layers_.mix(layer, rows); });
      for_each_chunk(n_, [&](Chunk atoms) { layers_.update(layer, atoms); });
    }
    ticks_.begin(MoleculeStage::readout);
    for_each_chunk(n_, [&](Chunk atoms) { layers_.read_out(atoms, wants_gradient); });
    for (int layer = n_layers - 1; wants_gradient && layer >= 0; --layer) {
      ticks_.begin(MoleculeStage::update_backward);
      for_each_chunk(n_, [&](Chunk atoms) { layers_.update_backward(layer, atoms); });
      if constexpr (IsPainn) for_each_chunk(3 * n_, [&](Chunk rows) { layers_.mix_backward(layer, rows); });
      ticks_.begin(MoleculeStage::message_backward);
      send_backward(layer);
    }
    ticks_.begin(MoleculeStage::sums);
    write_results(state_, 0, n_, shared_.positions, molecule, first_, {args_.energies, args_.forces, args_.virials});
    __syncthreads();  // the state is free
    ticks_.end();
  }

 private:
  using Neighbours = BlockNeighbours<1>;

  /// Positions, neighbours, and scalars of the elements.
  __device__ void find_neighbours() const {
    const int features = state_.features;
    for (int i = static_cast<int>(threadIdx.x); i < 3 * n_; i += n_threads())
      shared_.positions[i] = args_.positions[3 * first_ + i];
    for_each_pair(n_, features, [&](int atom, int c) {
      const float* row =
          args_.model.tensors + args_.model.at.embedding + std::int64_t{args_.batch.elements[first_ + atom]} * features;
      store2(state_.layer_row(0, state_.at.s, 1, atom) + c, __ldg(reinterpret_cast<const float2*>(row + c)));
    });
    __syncthreads();  // all positions are there
    for (int atom = static_cast<int>(threadIdx.x) / 32; atom < n_; atom += n_warps()) list_neighbours(atom);
    __syncthreads();  // all neighbours and scalars are there
  }

  __device__ void list_neighbours(int atom) const {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int end = n_ < 2 ? 1 : 1 << (32 - __clz(n_ - 1));  // a power of 2
    const auto cutoff = static_cast<float>(args_.model.cutoff);
    unsigned char* to = shared_.others + atom * shared_.capacity;
    int n = 0;
    for (int step = 0; step < end; step += 32) {
      const int other = atom ^ (step + lane);
      const bool is_other = step + lane < end && other < n_ && other != atom;
      const EdgeVector edge = shared_.edge(atom, is_other ? other : atom);
      const bool is_near = is_other && edge.length <= cutoff;
      const unsigned near = __ballot_sync(core::full_warp, is_near);
      if (is_near) to[n + __popc(near & ((1U << lane) - 1))] = static_cast<unsigned char>(other);
      if (IsAlone && is_near && other > atom) prefetch_filters(args_.model, edge);
      n += __popc(near);
    }
    if (lane == 0) shared_.n_neighbours[atom] = n;
  }

  /// f(atom, group) for all of them, a warp each.
  template <class F>
  __device__ void for_each_item(const F& f) const {
    const int groups = n_groups(args_.model), warp = static_cast<int>(threadIdx.x) / 32;
    for (int item = warp; item < n_ * groups; item += n_warps()) f(item % n_, item / n_);
    __syncthreads();  // all results are there
  }

  __device__ void send(int layer) const {
    if constexpr (IsPainn) for_each_chunk(n_, [&](Chunk atoms) { layers_.make_context(layer, atoms); });
    for_each_item(
        [&](int atom, int group) { pass_messages<IsPainn>(state_, layer, atom, group, Neighbours(shared_, atom)); });
  }

  __device__ void send_backward(int layer) const {
    for_each_item([&](int atom, int group) {
      pass_messages_backward<IsPainn, false>(state_, layer, atom, group, Neighbours(shared_, atom));
    });
    if (IsPainn && layer > 0) for_each_chunk(n_, [&](Chunk atoms) { layers_.make_context_backward(layer, atoms); });
  }

  const MoleculeArgs& args_;
  const MoleculeShared& shared_;
  const State<IsPainn>& state_;
  Layers<IsPainn, IsAlone ? 4 : 2> layers_;
  core::StageTicks ticks_;
  std::int64_t first_ = 0;
  int n_ = 0;
};

/// Asks the L2 for the matrices between messages; those of filters are in the table.
__device__ inline void prefetch_weights(const ModelView& model) {
  constexpr std::int64_t part = 4096;  // floats
  const std::int64_t begin = model.at.layer.context_hidden_weight,
                     n = model.at.layer_stride - (begin - model.at.layer.filter_hidden_weight);
  const std::int64_t n_parts = (n + part - 1) / part, n_matrices = model.layers * 2;
  for (std::int64_t i = threadIdx.x; i < n_matrices * n_parts; i += n_threads()) {
    const std::int64_t layer = i / n_parts / 2, first = i % n_parts * part;
    const float* from =
        (i / n_parts % 2 == 0 ? model.transposed : model.tensors) + layer * model.at.layer_stride + begin;
    ptx::prefetch_l2(from + first, static_cast<int>(min(part, n - first) * std::int64_t{sizeof(float)}));
  }
}

/// Two blocks a multiprocessor, or one of twice the warps where there are no more molecules than multiprocessors.
template <bool IsPainn, int Blocks>
__global__ void __launch_bounds__(Blocks == 1 ? lone_threads : block_threads, Blocks)
    compute_molecules(const __grid_constant__ MoleculeArgs args) {
  const MoleculeShared shared(core::dynamic_shared<float>(), args.model, args.capacity);
  const State<IsPainn> state(args.states + blockIdx.x * state_floats(args.model, args.capacity), args.model,
                             args.capacity, false);
  if constexpr (Blocks == 1) prefetch_weights(args.model);
  MoleculeBlock<IsPainn, Blocks == 1> block(args, shared, state);
  for (std::int64_t i = args.first_in_order + blockIdx.x; i < args.batch.n_molecules; i += gridDim.x)
    block.run(args.batch.order[i]);
}

/// Whether blocks of molecules are made for a model.
inline bool fits_blocks(const ModelView& model) {
  bool fits = model.table != nullptr && model.features % 4 == 0 && model.features <= 256;
  std::int64_t hidden = 0;
  for (std::int64_t i = 0; i + 1 < model.n_readouts; ++i) {
    fits = fits && model.readout[i] % 4 == 0;
    hidden += model.readout[i];
  }
  return fits && hidden <= 3 * model.features;
}

template <bool IsPainn, int Blocks>
void launch_molecules(const Stream& stream, MoleculeArgs args) {
  constexpr auto kernel = compute_molecules<IsPainn, Blocks>;
  constexpr int n_threads = Blocks == 1 ? lone_threads : block_threads;
  const std::int64_t n_molecules = args.batch.n_molecules - args.first_in_order;
  const std::int64_t shared_bytes = MoleculeShared::bytes(args.model, args.capacity);
  const std::int64_t state_bytes = state_floats(args.model, args.capacity) * std::int64_t{sizeof(float)};
  core::allow_shared(kernel, shared_bytes);
  const std::int64_t fitting = std::max<std::int64_t>(stream.scratch_limit() / state_bytes, 1);
  const std::int64_t n_blocks =
      std::min({n_molecules, fitting, core::resident_blocks(kernel, n_threads, shared_bytes)});
  args.states = reinterpret_cast<float*>(stream.scratch(n_blocks * state_bytes));
  core::launch(kernel, n_blocks, n_threads, shared_bytes, stream, args);
}

/// All small molecules of a batch.
inline void launch_molecules(const Stream& stream, const ForceFieldArgs<float>& args) {
  const BatchPlan& batch = *args.batch;
  const std::int64_t n_small = batch.n_molecules() - batch.n_large();
  if (n_small == 0) return;
  const MoleculeArgs all{.model = args.model->view(),
                         .batch = batch.view(),
                         .first_in_order = batch.n_large(),
                         .positions = args.positions,
                         .energies = args.energies,
                         .forces = args.forces,
                         .virials = args.virials,
                         .states = nullptr,
                         .capacity = static_cast<int>(std::max<std::int64_t>(batch.largest_small(), 1)),
                         .counters = MoleculeStage::begin(args.stages)};
  const bool are_few = n_small <= stream.n_multiprocessors();
  if (all.model.is_painn()) {
    are_few ? launch_molecules<true, 1>(stream, all) : launch_molecules<true, 2>(stream, all);
  } else {
    are_few ? launch_molecules<false, 1>(stream, all) : launch_molecules<false, 2>(stream, all);
  }
}

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
