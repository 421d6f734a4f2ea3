// A block has a molecule to itself, from the neighbours to the forces: one launch for the whole batch.
//
// Blocks are as many as the GPU holds and take molecules in turn, so the state of all of them is bounded however large
// the batch is, and stays in the L2 for small molecules. Warp a works on atom a and at step k on its neighbour a ^ k,
// whose warp works on a at the same time: the filters that both want come to the block once.
#pragma once

#include "core/dynamic_shared.cuh"
#include "core/stage_ticks.cuh"
#include "forcefield/cuda/forcefield_layers.cuh"
#include "forcefield/cuda/forcefield_messages.cuh"
#include "forcefield/cuda/forcefield_sums.cuh"

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
  static constexpr int mask_words = static_cast<int>(most_block_atoms) / 32;
  float* positions;  // [capacity][3]
  unsigned* masks;   // [capacity][mask_words]: who is near an atom
  Tile tile;

  __host__ __device__ static std::int64_t floats(const ModelView& model, int capacity) {
    return Tile::floats(static_cast<int>(model.features)) + std::int64_t{capacity} * (3 + mask_words);
  }
  __device__ MoleculeShared(float* memory, const ModelView& model, int capacity)
      : positions(memory + Tile::floats(static_cast<int>(model.features))),
        masks(reinterpret_cast<unsigned*>(positions + capacity * 3)),
        tile(memory, static_cast<int>(model.features)) {}
};

/// The neighbours of an atom, in the order that lets two warps meet.
class MaskedNeighbours {
 public:
  __device__ MaskedNeighbours(const MoleculeShared& shared, int n_atoms, int atom)
      : shared_(shared), n_atoms_(n_atoms), atom_(atom) {}

  template <class F>
  __device__ void operator()(const F& f) const {
    const float* mine = shared_.positions + 3 * atom_;
    const int end = n_atoms_ < 2 ? 1 : 1 << (32 - __clz(n_atoms_ - 1));  // a power of 2
    for (int step = 1; step < end; ++step) {
      const int other = atom_ ^ step;
      if (other >= n_atoms_) continue;
      const unsigned word = shared_.masks[atom_ * MoleculeShared::mask_words + other / 32];
      if ((word >> other % 32 & 1) == 0) continue;
      const float* theirs = shared_.positions + 3 * other;
      f(other, edge_vector(theirs[0] - mine[0], theirs[1] - mine[1], theirs[2] - mine[2]), 0);
    }
  }

 private:
  const MoleculeShared& shared_;
  int n_atoms_, atom_;
};

template <bool IsPainn, int Ahead>
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
  /// Positions, masks of neighbours, and scalars of the elements.
  __device__ void find_neighbours() const {
    const int features = state_.features;
    for (int i = static_cast<int>(threadIdx.x); i < 3 * n_; i += block_threads)
      shared_.positions[i] = args_.positions[3 * first_ + i];
    for_each_pair(n_, features, [&](int atom, int c) {
      const float* row =
          args_.model.tensors + args_.model.at.embedding + std::int64_t{args_.batch.elements[first_ + atom]} * features;
      store2(state_.layer_row(0, state_.at.s, 1, atom) + c, __ldg(reinterpret_cast<const float2*>(row + c)));
    });
    __syncthreads();  // all positions are there
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    const auto cutoff = static_cast<float>(args_.model.cutoff);
    for (int item = warp; item < n_ * MoleculeShared::mask_words; item += block_warps) {
      const int atom = item / MoleculeShared::mask_words, word = item % MoleculeShared::mask_words;
      const int other = word * 32 + lane;
      bool is_near = false;
      if (other < n_ && other != atom) {
        const float *a = shared_.positions + 3 * atom, *b = shared_.positions + 3 * other;
        is_near = edge_vector(b[0] - a[0], b[1] - a[1], b[2] - a[2]).length <= cutoff;
      }
      const unsigned mask = __ballot_sync(all_lanes, is_near);
      if (lane == 0) shared_.masks[item] = mask;
    }
    __syncthreads();  // all masks and scalars are there
  }

  /// f(atom, group) for all of them, a warp each.
  template <class F>
  __device__ void for_each_item(const F& f) const {
    const int groups = n_groups(args_.model), warp = static_cast<int>(threadIdx.x) / 32;
    for (int item = warp; item < n_ * groups; item += block_warps) f(item % n_, item / n_);
    __syncthreads();  // all results are there
  }

  __device__ void send(int layer) const {
    if constexpr (IsPainn) for_each_chunk(n_, [&](Chunk atoms) { layers_.make_context(layer, atoms); });
    for_each_item([&](int atom, int group) {
      pass_messages<IsPainn>(state_, layer, atom, group, MaskedNeighbours(shared_, n_, atom), MakeTabulated{});
    });
  }

  __device__ void send_backward(int layer) const {
    for_each_item([&](int atom, int group) {
      pass_messages_backward<IsPainn, false>(state_, layer, atom, group, MaskedNeighbours(shared_, n_, atom),
                                             MakeTabulated{});
    });
    if (IsPainn && layer > 0) for_each_chunk(n_, [&](Chunk atoms) { layers_.make_context_backward(layer, atoms); });
  }

  const MoleculeArgs& args_;
  const MoleculeShared& shared_;
  const State<IsPainn>& state_;
  Layers<IsPainn, Ahead> layers_;
  core::StageTicks ticks_;
  std::int64_t first_ = 0;
  int n_ = 0;
};

/// Two blocks a multiprocessor, or one with more weights under way where there are no more molecules than that.
template <bool IsPainn, int Blocks>
__global__ void __launch_bounds__(block_threads, Blocks) compute_molecules(const __grid_constant__ MoleculeArgs args) {
  const MoleculeShared shared(core::dynamic_shared<float>(), args.model, args.capacity);
  const State<IsPainn> state(args.states + blockIdx.x * state_floats(args.model, args.capacity), args.model,
                             args.capacity, false);
  MoleculeBlock<IsPainn, Blocks == 1 ? 4 : 1> block(args, shared, state);
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
  const std::int64_t n_molecules = args.batch.n_molecules - args.first_in_order;
  const std::int64_t shared_bytes = MoleculeShared::floats(args.model, args.capacity) * std::int64_t{sizeof(float)};
  const std::int64_t state_bytes = state_floats(args.model, args.capacity) * std::int64_t{sizeof(float)};
  core::allow_shared(kernel, shared_bytes);
  const std::int64_t fitting = std::max<std::int64_t>(stream.scratch_limit() / state_bytes, 1);
  const std::int64_t n_blocks =
      std::min({n_molecules, fitting, core::resident_blocks(kernel, block_threads, shared_bytes)});
  args.states = reinterpret_cast<float*>(stream.scratch(n_blocks * state_bytes));
  core::launch(kernel, n_blocks, block_threads, shared_bytes, stream, args);
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
