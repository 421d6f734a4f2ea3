// Molecules of any size, including periodic ones: the stages of a block (forcefield_layers.cuh,
// forcefield_messages.cuh), each as a launch over all atoms, with neighbour lists. Bound by the L2, which the table and
// all states pass through.
#pragma once

#include <algorithm>

#include "forcefield/cuda/forcefield_layers.cuh"
#include "forcefield/cuda/forcefield_lists.cuh"
#include "forcefield/cuda/forcefield_messages.cuh"
#include "forcefield/cuda/forcefield_readout.cuh"
#include "forcefield/cuda/forcefield_sums.cuh"
#include "library/core/cuda/dynamic_shared.cuh"
#include "library/core/stream/scratch.hpp"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

inline constexpr int message_warps = 8;

/// The arguments of all stages.
struct StagedArgs {
  ModelView model;
  AtomRange range;
  EdgeListView<float> list;
  const float* positions;
  float* state;
  bool wants_strain;

  template <bool IsPainn>
  __device__ State<IsPainn> state_of() const {
    return {model, range.n_atoms, state, wants_strain};
  }
};

/// The edges of a lane's atom from a list, with filters from the table.
template <bool IsPainn>
class ListedNeighbours {
 public:
  __device__ ListedNeighbours(const State<IsPainn>& state, int layer, const MessageLane& lane,
                              const EdgeListView<float>& list)
      : state_(state), layer_(layer), lane_(lane), list_(list) {}

  template <class F>
  __device__ void operator()(const F& f) const {
    const std::int64_t end = list_.first[lane_.atom + 1];
    for (std::int64_t i = list_.first[lane_.atom]; i < end; ++i) {
      const ListedEdge<float> listed = list_.edges[i];
      const Edge edge = make_edge<IsPainn>(state_.model, listed.x, listed.y, listed.z);
      f(listed.sender, edge, TabulatedFilters(state_.model, layer_, state_.first_channel + lane_.channel, edge));
    }
  }

 private:
  const State<IsPainn>& state_;
  int layer_;
  const MessageLane& lane_;
  const EdgeListView<float>& list_;
};

template <bool IsPainn>
__global__ void fill_scalars(const __grid_constant__ StagedArgs args) {
  const auto state = args.state_of<IsPainn>();
  const std::int64_t pairs = state.n_channels / 2, i = std::int64_t{blockIdx.x} * list_threads + threadIdx.x;
  if (i >= args.range.n_atoms * pairs) return;
  const int atom = static_cast<int>(i / pairs), c = static_cast<int>(i % pairs) * 2;
  const AtomRange::Place place = args.range.place_of(atom);
  const std::int64_t element = args.range.batch.elements[place.source + atom - place.first];
  const float* row = args.model.tensors + args.model.at.embedding + element * state.n_channels;
  store2(state.layer_row(0, state.at.s, 1, atom) + c, load2(row + c));
}

enum class Direction { forward, backward };

template <bool IsPainn, Direction Way, bool WantsStrain>
__global__ void __launch_bounds__(32 * message_warps)
    send_messages(const __grid_constant__ StagedArgs args, int layer) {
  const std::int64_t item = std::int64_t{blockIdx.x} * message_warps + threadIdx.x / 32;
  const int atom = static_cast<int>(item % args.range.n_atoms), group = static_cast<int>(item / args.range.n_atoms);
  if (group >= n_groups(args.model)) return;
  const auto state = args.state_of<IsPainn>();
  const MessageLane lane = lane_of_group(state, atom, group);
  const ListedNeighbours<IsPainn> neighbours(state, layer, lane, args.list);
  if constexpr (Way == Direction::forward) {
    pass_messages<IsPainn>(state, layer, lane, neighbours);
  } else {
    pass_messages_backward<IsPainn, WantsStrain>(state, layer, lane, neighbours);
  }
}

/// A stage: the work of a block on its rows of a range.
enum class LayerStep { context, mix, update, read_out, energies, update_backward, mix_backward, context_backward };

template <bool IsPainn, LayerStep Step>
__global__ void __launch_bounds__(block_threads, 2) run_step(const __grid_constant__ StagedArgs args, int layer) {
  const auto state = args.state_of<IsPainn>();
  BlockTile tile(core::dynamic_shared<float>(), args.model);
  const Layers<IsPainn, BlockTile> layers(state, tile);
  const Readout<IsPainn, BlockTile> readout(state, tile);
  constexpr bool has_axes = Step == LayerStep::mix || Step == LayerStep::mix_backward;
  const int n_rows = args.range.n_atoms * (has_axes ? 3 : 1), first = static_cast<int>(blockIdx.x) * tile_rows;
  const Chunk rows{first, min(tile_rows, n_rows - first)};
  if constexpr (Step == LayerStep::context) layers.make_context(layer, rows);
  if constexpr (Step == LayerStep::mix) layers.mix(layer, rows);
  if constexpr (Step == LayerStep::update) layers.update(layer, rows);
  if constexpr (Step == LayerStep::read_out) readout.run(rows, true);
  if constexpr (Step == LayerStep::energies) readout.run(rows, false);
  if constexpr (Step == LayerStep::update_backward) layers.update_backward(layer, rows);
  if constexpr (Step == LayerStep::mix_backward) layers.mix_backward(layer, rows);
  if constexpr (Step == LayerStep::context_backward) layers.make_context_backward(layer, rows);
}

/// Sums the results of a molecule per block; see MoleculeResults.
template <bool IsPainn>
__global__ void __launch_bounds__(block_threads)
    sum_molecules(const __grid_constant__ StagedArgs args, const __grid_constant__ MoleculeResults results) {
  const AtomRange::Place place = args.range.place_of_slot(args.range.first_slot + blockIdx.x);
  write_results(args.state_of<IsPainn>(),
                {place.first, place.n, place.molecule, place.source, args.range.cell_of(place) != nullptr},
                args.positions + 3 * place.source, results);
}

/// The molecules [first, first + n) of the batch's order, which pass through the stages together.
struct StagedSlots {
  std::int64_t first = 0;
  std::int64_t n = 0;
  std::int64_t n_atoms = 0;
  std::int64_t most_edges = 0;  // an upper bound, if none is periodic
  std::int64_t largest = 0;     // atoms of the largest molecule
  bool repeats = false;         // whether any of them is periodic

  /// Returns the part extended by the next molecule.
  StagedSlots with_next(const BatchPlan& batch) const {
    const std::int32_t molecule = batch.order()[static_cast<std::size_t>(first + n)];
    const std::int64_t size = batch.size(molecule);
    return {first,
            n + 1,
            n_atoms + size,
            most_edges + size * (size - 1),
            std::max(largest, size),
            repeats || batch.repeats(molecule)};
  }

  /// Whether the edges must be counted first. Small molecules get memory for all pairs, so that the host does not wait.
  bool are_small() const { return !repeats && largest <= most_block_atoms; }

  bool wants_strain(const ForceFieldArgs<float>& args) const { return args.virials != nullptr && repeats; }

  std::int64_t state_bytes(const ForceFieldArgs<float>& args) const {
    return state_floats(args.model->view(), n_atoms, wants_strain(args)) * std::int64_t{sizeof(float)};
  }
  static std::int64_t edge_bytes(std::int64_t n_edges) {
    return ceil_div(n_edges * std::int64_t{sizeof(ListedEdge<float>)}, 256) * 256;
  }
  /// The scratch bytes of the part; edges that are still to be counted are assumed to need as much as the state.
  std::int64_t bytes(const ForceFieldArgs<float>& args) const {
    const std::int64_t state = state_bytes(args);
    return state + (are_small() ? edge_bytes(most_edges) : state) + ListMaker<float>::first_bytes(n_atoms);
  }
};

template <bool IsPainn>
class StagedMolecules {
 public:
  StagedMolecules(const Stream& stream, const ForceFieldArgs<float>& args, const StagedSlots& slots)
      : stream_(stream), args_(args), slots_(slots) {
    staged_.model = args.model->view();
    staged_.range = atoms_of(*args.batch, slots.first, slots.n);
    staged_.positions = args.positions;
    staged_.wants_strain = slots.wants_strain(args);
  }

  void run() {
    args_.stages.begin("neighbours");
    make_lists();
    const int n_layers = static_cast<int>(staged_.model.layers);
    const std::int64_t pairs = staged_.range.n_atoms * staged_.model.features / 2;
    core::launch(fill_scalars<IsPainn>, ceil_div(pairs, list_threads), list_threads, 0, stream_, staged_);
    for (int layer = 0; layer < n_layers; ++layer) {
      args_.stages.begin("message");
      if constexpr (IsPainn) step<LayerStep::context>(layer);
      send<Direction::forward>(layer);
      args_.stages.begin("update");
      if constexpr (IsPainn) step<LayerStep::mix>(layer);
      step<LayerStep::update>(layer);
    }
    args_.stages.begin("readout");
    args_.has_gradient() ? step<LayerStep::read_out>(0) : step<LayerStep::energies>(0);
    for (int layer = n_layers - 1; args_.has_gradient() && layer >= 0; --layer) {
      args_.stages.begin("update backward");
      step<LayerStep::update_backward>(layer);
      if constexpr (IsPainn) step<LayerStep::mix_backward>(layer);
      args_.stages.begin("message backward");
      staged_.wants_strain ? send<Direction::backward, true>(layer) : send<Direction::backward>(layer);
      if (IsPainn && layer > 0) step<LayerStep::context_backward>(layer);
    }
    args_.stages.begin("sums");
    core::launch(sum_molecules<IsPainn>, staged_.range.n_slots, block_threads, 0, stream_, staged_,
                 MoleculeResults{args_.energies, args_.forces, args_.virials});
  }

 private:
  void make_lists() {
    const AtomRange& range = staged_.range;
    const double cutoff = staged_.model.cutoff;
    const std::int64_t n_edges =
        slots_.are_small() ? slots_.most_edges : wait_for_edges(stream_, range, args_.positions, cutoff);
    const std::int64_t first_bytes = list_bytes<float>(range), edge_bytes = StagedSlots::edge_bytes(n_edges);
    const std::int64_t state_bytes = slots_.state_bytes(args_);
    std::byte* memory = core::scratch(stream_, first_bytes + edge_bytes + state_bytes);
    auto* first = reinterpret_cast<std::int64_t*>(memory);
    auto* edges = reinterpret_cast<ListedEdge<float>*>(memory + first_bytes);
    staged_.list = {first, edges};
    staged_.state = reinterpret_cast<float*>(memory + first_bytes + edge_bytes);
    launch_lists(stream_, range, args_.positions, cutoff, first, edges);
  }

  template <Direction Way, bool WantsStrain = false>
  void send(int layer) const {
    const std::int64_t items = std::int64_t{staged_.range.n_atoms} * n_groups(staged_.model);
    core::launch(send_messages<IsPainn, Way, WantsStrain>, ceil_div(items, message_warps), 32 * message_warps, 0,
                 stream_, staged_, layer);
  }

  template <LayerStep Step>
  void step(int layer) const {
    constexpr auto kernel = run_step<IsPainn, Step>;
    constexpr bool has_axes = Step == LayerStep::mix || Step == LayerStep::mix_backward;
    const std::int64_t bytes = BlockTile::floats(staged_.model) * std::int64_t{sizeof(float)};
    core::allow_shared(kernel, bytes);
    core::launch(kernel, ceil_div(std::int64_t{staged_.range.n_atoms} * (has_axes ? 3 : 1), tile_rows), block_threads,
                 bytes, stream_, staged_, layer);
  }

  const Stream& stream_;
  const ForceFieldArgs<float>& args_;
  StagedSlots slots_;
  StagedArgs staged_{};
};

/// Computes the first `n_slots` molecules of the batch's order, as many at a time as fit in the stream's scratch
/// memory. Parts have nearly equal sizes, because a small last part would need a whole chain of launches (NOTES.md).
inline void launch_staged(const Stream& stream, const ForceFieldArgs<float>& args, std::int64_t n_slots) {
  const BatchPlan& batch = *args.batch;
  const ModelView model = args.model->view();
  if (n_slots > 0 && batch.order_first(1) > most_state_atoms(model))
    throw Error(ErrorCode::unsupported, "ForceField: a molecule has " + std::to_string(batch.order_first(1)) +
                                            " atoms; on a GPU it may have at most " +
                                            std::to_string(most_state_atoms(model)));
  std::int64_t all_bytes = 0;
  for (std::int64_t slot = 0; slot < n_slots; ++slot)
    all_bytes += StagedSlots{.first = slot}.with_next(batch).bytes(args);
  const std::int64_t most_bytes = std::max<std::int64_t>(core::scratch_limit(stream), 1);
  const std::int64_t part_bytes = all_bytes / std::max<std::int64_t>(ceil_div(all_bytes, most_bytes), 1);
  for (StagedSlots slots; slots.first < n_slots; slots = {.first = slots.first + slots.n}) {
    for (slots = slots.with_next(batch); slots.first + slots.n < n_slots;) {
      const StagedSlots more = slots.with_next(batch);
      if (slots.bytes(args) >= part_bytes || more.bytes(args) > most_bytes) break;
      slots = more;
    }
    model.is_painn() ? StagedMolecules<true>(stream, args, slots).run()
                     : StagedMolecules<false>(stream, args, slots).run();
  }
}

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
