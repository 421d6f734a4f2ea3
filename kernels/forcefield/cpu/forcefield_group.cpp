// GroupPass: processes layer after layer for all atoms of a group, so that weights are read once for all of them.
#include "forcefield/cpu/forcefield_group.hpp"

#include <algorithm>
#include <numeric>

#include "forcefield/cpu/forcefield_one_by_one.hpp"
#include "forcefield/model/forcefield_model.hpp"
#include "forcefield/reference/forcefield_reference.hpp"
#include "library/core/arithmetic.hpp"

namespace rafter::forcefield_ladder::cpu {

namespace {

struct Stage {
  enum { neighbours, message, update, readout, update_backward, message_backward };
};

/// The number of rows of a chunk: whole blocks of rows in registers (library/core/cpu/panel_product.hpp), few enough
/// for the L2.
constexpr std::int64_t chunk_rows = 56;

/// The size of the memory between the products of a chunk, in rows per atom.
constexpr std::int64_t hidden_at = 0, g_gates_at = 1, g_in_at = 4, g_mixed_at = 6, update_rows = 12;

/// The pitch of a row: an odd number of cache lines, so that the rows of many atoms use all sets of the L1.
std::int64_t pitch_of(const PackedForceField& model) { return model.channels() + 16; }

std::int64_t scratch_floats(const PackedForceField& model) {
  std::int64_t readout = 0;
  for (const PackedProduct& product : model.readout()) readout += 2 * product.forward.n_out;
  return chunk_rows * std::max(update_rows * pitch_of(model), readout);
}

}  // namespace

GroupPass::Layout::Layout(const PackedForceField& model)
    : layer(model.is_painn() ? 21 : 11), common(model.is_painn() ? 13 : 10) {}

GroupPass::GroupPass(const ForceFieldArgs<float>& args, core::StageCounters counters)
    : args_(args),
      model_(*args.model->packed()),
      loops_(forcefield_loops()),
      own_(model_.is_painn() ? loops_.painn : loops_.student),
      at_(model_),
      counters_(counters),
      channels_(model_.channels()),
      pitch_(pitch_of(model_)),
      finder_(model_) {}

std::int64_t GroupPass::n_floats(const ForceFieldArgs<float>& args, std::int64_t n_atoms) {
  const PackedForceField& model = *args.model->packed();
  const Layout at(model);
  const std::int64_t rows = at.layer * (args.has_gradient() ? model.n_layers() : 1) + at.common;
  return n_atoms * rows * pitch_of(model) + scratch_floats(model);
}

core::StageCounters GroupPass::begin_stages(const ForceFieldArgs<float>& args) {
  return args.stages.begin_fused({"neighbours", "message", "update", "readout", "update backward", "message backward"});
}

void GroupPass::run(std::span<const std::int32_t> molecules, float* between) {
  core::StageTicks ticks(counters_);
  ticks.begin(Stage::neighbours);
  begin(molecules);
  scratch_ = between;
  common_ = scratch_ + scratch_floats(model_);
  layers_ = common_ + at_.common * n_atoms_ * pitch_;
  std::int64_t row = 0;
  for (const std::int32_t m : molecules) {
    for (std::int64_t i = 0; i < args_.batch->size(m); ++i, ++row)
      std::copy_n(model_.embedding(args_.batch->element(args_.batch->first(m) + i)), channels_,
                  of_layer(0, at_.s, 1).from(row).data);
  }
  for (std::int64_t l = 0; l < model_.n_layers(); ++l) {
    ticks.begin(Stage::message);
    if (model_.is_painn()) make_context(l);
    pass_messages(l);
    ticks.begin(Stage::update);
    update(l);
  }
  ticks.begin(Stage::readout);
  read_out();
  for (std::int64_t l = model_.n_layers() - 1; args_.has_gradient() && l >= 0; --l) {
    ticks.begin(Stage::update_backward);
    update_backward(l);
    ticks.begin(Stage::message_backward);
    pass_messages_backward(l);
    if (model_.is_painn() && l > 0) context_backward(l);
  }
  finish(molecules);
}

void GroupPass::begin(std::span<const std::int32_t> molecules) {
  finder_.clear();
  molecule_of_.clear();
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    const std::int64_t m = molecules[i], n = args_.batch->size(m), row = std::ssize(molecule_of_);
    finder_.add(args_.positions + 3 * args_.batch->first(m), n, args_.batch->cell(m), row);
    molecule_of_.resize(static_cast<std::size_t>(row + n), static_cast<std::int32_t>(i));
  }
  pairs_ = finder_.sorted();
  n_atoms_ = std::ssize(molecule_of_);
  energies_.resize(static_cast<std::size_t>(n_atoms_));
  if (args_.has_gradient()) by_pair_.assign(4 * pairs_.size(), 0);
}

/// The layers that are kept; without a gradient, all layers use the same memory.
Rows<float> GroupPass::of_layer(std::int64_t l, std::int64_t field, std::int64_t n_parts) const {
  const std::int64_t row = (args_.has_gradient() ? l * at_.layer : 0) + field;
  return {layers_ + row * n_atoms_ * pitch_, n_parts * pitch_};
}
Rows<float> GroupPass::common(std::int64_t field, std::int64_t n_parts) const {
  return {common_ + field * n_atoms_ * pitch_, n_parts * pitch_};
}
Rows<float> GroupPass::scratch(std::int64_t field, std::int64_t n_parts) const {
  return {scratch_ + field * chunk_rows * pitch_, n_parts * pitch_};
}

template <class F>
void GroupPass::for_each_chunk(const F& f) const {
  const std::int64_t n_chunks = ceil_div(n_atoms_, chunk_rows);
  for (std::int64_t i = 0; i < n_chunks; ++i) {
    const std::int64_t first = i * n_atoms_ / n_chunks;
    f(Chunk{first, (i + 1) * n_atoms_ / n_chunks - first});
  }
}

void GroupPass::make_context(std::int64_t l) {
  const std::vector<PackedProduct>& context = model_.layer(l).context;
  const Rows<float> hidden = scratch(hidden_at, 1);
  for_each_chunk([&](Chunk atoms) {
    loops_.multiply(of_layer(l, at_.s, 1).from(atoms.first), atoms.n, context[0].forward, hidden);
    loops_.silu(hidden, of_layer(l, at_.context_slopes, 1).from(atoms.first), atoms.n, channels_);
    loops_.multiply(hidden, atoms.n, context[1].forward, of_layer(l, at_.sent, 3).from(atoms.first));
  });
}

Messages GroupPass::messages_of(std::int64_t l) const {
  return {.pairs = pairs_.data(),
          .n_pairs = std::ssize(pairs_),
          .table = model_.table(l),
          .n_intervals = model_.n_intervals(),
          .channels = channels_,
          .pitch = pitch_,
          .sent = model_.is_painn() ? of_layer(l, at_.sent, 3) : of_layer(l, at_.s, 1),
          .v = l == 0 ? nullptr : of_layer(l, at_.v, 3).data,
          .s_sum = common(at_.in, 2),
          .v_sum = of_layer(l, at_.v_sum, 3).data};
}

void GroupPass::pass_messages(std::int64_t l) {
  const Messages messages = messages_of(l);
  for (std::int64_t i = 0; i < n_atoms_; ++i)
    std::copy_n(of_layer(l, at_.s, 1).from(i).data, channels_, messages.s_sum.from(i).data);
  const std::int64_t n_vectors = n_atoms_ * 3 * pitch_;
  l == 0 ? std::fill_n(messages.v_sum, n_vectors, 0.F) : std::copy_n(messages.v, n_vectors, messages.v_sum);
  own_.pass_messages(messages);
}

Update GroupPass::update_of(std::int64_t l, Chunk atoms) const {
  const bool is_last = l + 1 == model_.n_layers();
  const auto of_atoms = [&](Rows<float> rows) { return rows.from(atoms.first).data; };
  return {.n_atoms = atoms.n,
          .channels = channels_,
          .pitch = pitch_,
          .has_vectors = !is_last,
          .mixing = model_.layer(l).axis_mixing,
          .in = of_atoms(common(at_.in, 2)),
          .v_sum = of_atoms(of_layer(l, at_.v_sum, 3)),
          .mixed = model_.is_painn() ? of_atoms(of_layer(l, at_.mixed, 6)) : nullptr,
          .gates = of_atoms(of_layer(l, at_.gates, 3)),
          .s = of_atoms(is_last ? common(at_.gs, 1) : of_layer(l + 1, at_.s, 1)),
          .v = is_last ? nullptr : of_atoms(of_layer(l + 1, at_.v, 3)),
          .gs = of_atoms(common(at_.gs, 1)),
          .gv = of_atoms(common(at_.gv, 3)),
          .g_gates = scratch(g_gates_at, 3).data,
          .g_in = scratch(g_in_at, 2).data,
          .gs_sum = of_atoms(common(at_.gs_sum, 1)),
          .gv_sum = model_.is_painn() ? scratch(g_mixed_at, 6).data : of_atoms(common(at_.gv_sum, 3))};
}

void GroupPass::update(std::int64_t l) {
  const PackedLayer& layer = model_.layer(l);
  const Rows<float> hidden = scratch(hidden_at, 1);
  for_each_chunk([&](Chunk atoms) {
    const Rows<float> in = common(at_.in, 2).from(atoms.first), lengths{in.data + channels_, in.pitch};
    const Rows<float> v_sum = of_layer(l, at_.v_sum, 1).from(3 * atoms.first);
    if (model_.is_painn()) {
      const Rows<float> mixed = of_layer(l, at_.mixed, 2).from(3 * atoms.first);
      loops_.multiply(v_sum, 3 * atoms.n, layer.mixing[0].forward, mixed);
      loops_.lengths(mixed, atoms.n, channels_, static_cast<float>(norm_epsilon), lengths);
    } else {
      loops_.lengths(v_sum, atoms.n, channels_, 0, lengths);
    }
    loops_.multiply(in, atoms.n, layer.update[0].forward, hidden);
    loops_.silu(hidden, of_layer(l, at_.slopes, 1).from(atoms.first), atoms.n, channels_);
    loops_.multiply(hidden, atoms.n, layer.update[1].forward, of_layer(l, at_.gates, 3).from(atoms.first));
    own_.update(update_of(l, atoms));
  });
}

/// Computes the energies of atoms, and overwrites the last scalars by their gradients.
void GroupPass::read_out() {
  const std::vector<PackedProduct>& layers = model_.readout();
  const std::int64_t n_last = model_.n_last();
  for_each_chunk([&](Chunk atoms) {
    std::vector<Rows<float>> values{common(at_.gs, 1).from(atoms.first)}, slopes{{}};
    float* next = scratch_;
    for (const PackedProduct& layer : layers) {
      const std::int64_t n = layer.forward.n_out;
      const Rows<float> in = values.back();
      values.push_back({next, n});
      slopes.push_back({next + atoms.n * n, n});
      next += 2 * atoms.n * n;
      loops_.multiply(in, atoms.n, layer.forward, values.back());
      loops_.silu(values.back(), slopes.back(), atoms.n, n);
    }
    for (std::int64_t i = 0; i < atoms.n; ++i) {
      float* row = values.back().from(i).data;
      energies_[static_cast<std::size_t>(atoms.first + i)] =
          loops_.dot(row, model_.last_readout(), n_last) + model_.last_bias();
      std::copy_n(model_.last_readout(), n_last, row);
    }
    for (std::size_t r = layers.size(); args_.has_gradient() && r > 0; --r) {
      loops_.scale(values[r], slopes[r], atoms.n, values[r].pitch);
      loops_.multiply(values[r], atoms.n, layers[r - 1].backward, values[r - 1]);
    }
  });
}

void GroupPass::update_backward(std::int64_t l) {
  const PackedLayer& layer = model_.layer(l);
  const Rows<float> g_hidden = scratch(hidden_at, 1);
  for_each_chunk([&](Chunk atoms) {
    const Update update = update_of(l, atoms);
    own_.gates_backward(update);
    loops_.multiply(scratch(g_gates_at, 3), atoms.n, layer.update[1].backward, g_hidden);
    loops_.scale(g_hidden, of_layer(l, at_.slopes, 1).from(atoms.first), atoms.n, channels_);
    loops_.multiply(g_hidden, atoms.n, layer.update[0].backward, scratch(g_in_at, 2));
    own_.vectors_backward(update);
    if (!model_.is_painn()) return;
    const Rows<float> gv_sum = common(at_.gv_sum, 1).from(3 * atoms.first);
    loops_.multiply(scratch(g_mixed_at, 2), 3 * atoms.n, layer.mixing[0].backward, gv_sum);
    if (update.has_vectors) loops_.add(gv_sum, {update.gv, pitch_}, 3 * atoms.n, channels_);
  });
}

void GroupPass::pass_messages_backward(std::int64_t l) {
  const std::int64_t n = n_atoms_ * pitch_;
  const MessagesBackward backward{.forward = messages_of(l),
                                  .gs_sum = common(at_.gs_sum, 1),
                                  .gv_sum = common(at_.gv_sum, 3).data,
                                  .g_sent = model_.is_painn() ? common(at_.g_sent, 3) : common(at_.gs, 1),
                                  .gv = common(at_.gv, 3).data,
                                  .by_pair = by_pair_.data()};
  if (l > 0) {
    model_.is_painn() ? std::fill_n(backward.g_sent.data, 3 * n, 0.F)
                      : std::copy_n(backward.gs_sum.data, n, backward.g_sent.data);
    std::copy_n(backward.gv_sum, 3 * n, backward.gv);
  }
  own_.pass_messages_backward(backward);
}

void GroupPass::context_backward(std::int64_t l) {
  const std::vector<PackedProduct>& context = model_.layer(l).context;
  const Rows<float> g_hidden = scratch(hidden_at, 1);
  for_each_chunk([&](Chunk atoms) {
    const Rows<float> gs = common(at_.gs, 1).from(atoms.first);
    loops_.multiply(common(at_.g_sent, 3).from(atoms.first), atoms.n, context[1].backward, g_hidden);
    loops_.scale(g_hidden, of_layer(l, at_.context_slopes, 1).from(atoms.first), atoms.n, channels_);
    loops_.multiply(g_hidden, atoms.n, context[0].backward, gs);
    loops_.add(gs, common(at_.gs_sum, 1).from(atoms.first), atoms.n, channels_);
  });
}

/// Propagates gradients through d = |e| and u = e / (d + epsilon) to the positions and the strain.
void GroupPass::add_gradients() {
  const auto steps = static_cast<double>(model_.n_intervals()) / model_.model().cutoff;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const Pair& pair = pairs_[i];
    const float* by = by_pair_.data() + 4 * i;
    double* const first = forces_.data() + 3 * pair.first;
    double* const second = forces_.data() + 3 * pair.second;
    double* const virial = virials_.data() + 9 * molecule_of_[static_cast<std::size_t>(pair.first)];
    const double d = double{pair.length}, divisor = model_.is_painn() ? d : d + unit_epsilon;
    double along = 0;
    for (int x = 0; x < 3; ++x) along += double{by[1 + x]} * double{pair.unit[x]};
    const double radial = (double{by[0]} * steps - along / divisor) / d;
    for (int x = 0; x < 3; ++x) {
      const double g = double{pair.vector[x]} * radial + double{by[1 + x]} / divisor;
      first[x] += g;
      second[x] -= g;
      for (int y = 0; y < 3; ++y) virial[3 * x + y] -= g * double{pair.vector[y]};
    }
  }
}

void GroupPass::finish(std::span<const std::int32_t> molecules) {
  forces_.assign(static_cast<std::size_t>(3 * n_atoms_), 0);
  virials_.assign(9 * molecules.size(), 0);
  if (args_.has_gradient()) add_gradients();
  std::int64_t row = 0;
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    const std::int64_t m = molecules[i], n = args_.batch->size(m), first = args_.batch->first(m);
    const double nothing = double{nothing_of(args_.positions + 3 * first, 3 * n)};
    args_.energies[m] = std::accumulate(energies_.begin() + row, energies_.begin() + row + n, nothing);
    for (std::int64_t k = 0; args_.forces != nullptr && k < 3 * n; ++k)
      args_.forces[3 * first + k] = static_cast<float>(forces_[static_cast<std::size_t>(3 * row + k)] + nothing);
    for (std::int64_t k = 0; args_.virials != nullptr && k < 9; ++k)
      args_.virials[9 * m + k] = virials_[9 * i + static_cast<std::size_t>(k)] + nothing;
    row += n;
  }
}

}  // namespace rafter::forcefield_ladder::cpu
