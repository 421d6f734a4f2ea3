// GroupPass: layer after layer, each over all atoms of a group, so that weights are read once for all of them.
#include "forcefield/cpu/forcefield_group.hpp"

#include <algorithm>

#include "core/arithmetic.hpp"
#include "forcefield/forcefield_model.hpp"
#include "forcefield/forcefield_reference.hpp"

namespace rafter::forcefield_ladder::cpu {

namespace {

struct Stage {
  enum { neighbours, message, update, readout, update_backward, message_backward };
};

/// Rows of a chunk: whole blocks of rows in registers (core/panel_product.hpp), few enough for a second-level cache.
constexpr std::int64_t chunk_rows = 56;

/// Between the products of a chunk, in rows of channels for each atom.
constexpr std::int64_t hidden_at = 0, g_gates_at = 1, g_in_at = 4, g_mixed_at = 6, update_rows = 12;

std::int64_t scratch_floats(const PackedForceField& model) {
  std::int64_t readout = 0;
  for (const PackedProduct& product : model.readout()) readout += 2 * product.forward.n_out;
  return chunk_rows * std::max(update_rows * model.channels(), readout);
}

}  // namespace

GroupPass::Layout::Layout(const PackedForceField& model)
    : layer(model.is_painn() ? 21 : 11), common(model.is_painn() ? 14 : 11) {}

GroupPass::GroupPass(const ForceFieldArgs<float>& args, core::StageCounters counters)
    : args_(args),
      model_(*args.model->packed()),
      loops_(forcefield_loops()),
      own_(model_.is_painn() ? loops_.painn : loops_.student),
      at_(model_),
      counters_(counters),
      channels_(model_.channels()),
      pairs_(model_) {}

std::int64_t GroupPass::n_floats(const ForceFieldArgs<float>& args, std::int64_t n_atoms) {
  const PackedForceField& model = *args.model->packed();
  const Layout at(model);
  const std::int64_t rows = at.layer * (args.has_gradient() ? model.n_layers() : 1) + at.common;
  return n_atoms * rows * model.channels() + scratch_floats(model);
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
  layers_ = common_ + at_.common * n_atoms_ * channels_;
  std::int64_t row = 0;
  for (const std::int32_t m : molecules) {
    for (std::int64_t i = 0; i < args_.batch->size(m); ++i, ++row)
      std::copy_n(model_.embedding(args_.batch->element(args_.batch->first(m) + i)), channels_,
                  of_layer(0, at_.s, 1, row));
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
  n_atoms_ = 0;
  pairs_.clear();
  first_pair_.assign(1, 0);
  for (const std::int32_t m : molecules) {
    const std::int64_t n = args_.batch->size(m);
    pairs_.add(args_.positions + 3 * args_.batch->first(m), n, args_.batch->cell(m), n_atoms_);
    first_pair_.push_back(std::ssize(pairs_.pairs()));
    n_atoms_ += n;
  }
  energies_.resize(static_cast<std::size_t>(n_atoms_));
  if (args_.has_gradient()) by_pair_.assign(4 * pairs_.pairs().size(), 0);
}

/// Without a gradient, layers follow each other in the same memory.
float* GroupPass::of_layer(std::int64_t l, std::int64_t field, std::int64_t width, std::int64_t atom) const {
  const std::int64_t begin = (args_.has_gradient() ? l * at_.layer : 0) + field;
  return layers_ + (begin * n_atoms_ + atom * width) * channels_;
}

float* GroupPass::common(std::int64_t field, std::int64_t width, std::int64_t atom) const {
  return common_ + (field * n_atoms_ + atom * width) * channels_;
}

template <class F>
void GroupPass::for_each_chunk(const F& f) const {
  const std::int64_t n_chunks = ceil_div(n_atoms_, chunk_rows);
  for (std::int64_t i = 0; i < n_chunks; ++i) {
    const std::int64_t first = i * n_atoms_ / n_chunks;
    f(Chunk{first, (i + 1) * n_atoms_ / n_chunks - first});
  }
}

void GroupPass::multiply(const float* in, std::int64_t n_rows, const Panels& by, float* out) const {
  loops_.multiply({in, by.n_in}, n_rows, by, {out, in_panels(by.n_out)});
}

void GroupPass::make_context(std::int64_t l) {
  const std::vector<PackedProduct>& context = model_.layer(l).context;
  float* const hidden = scratch_ + hidden_at;
  for_each_chunk([&](Chunk atoms) {
    multiply(of_layer(l, at_.s, 1, atoms.first), atoms.n, context[0].forward, hidden);
    loops_.silu(hidden, of_layer(l, at_.context_slopes, 1, atoms.first), atoms.n * channels_);
    multiply(hidden, atoms.n, context[1].forward, of_layer(l, at_.sent, 3, atoms.first));
  });
}

Messages GroupPass::messages_of(std::int64_t l) const {
  return {.pairs = pairs_.pairs().data(),
          .n_pairs = std::ssize(pairs_.pairs()),
          .table = model_.table(l),
          .table_pitch = model_.table_pitch(),
          .channels = channels_,
          .sent = model_.is_painn() ? Rows<const float>{of_layer(l, at_.sent, 3), 3 * channels_}
                                    : Rows<const float>{of_layer(l, at_.s, 1), channels_},
          .v = l == 0 ? nullptr : of_layer(l, at_.v, 3),
          .s_sum = {common(at_.in, 2), 2 * channels_},
          .v_sum = of_layer(l, at_.v_sum, 3)};
}

void GroupPass::pass_messages(std::int64_t l) {
  const Messages messages = messages_of(l);
  for (std::int64_t i = 0; i < n_atoms_; ++i) std::copy_n(of_layer(l, at_.s, 1, i), channels_, common(at_.in, 2, i));
  const std::int64_t n_vectors = n_atoms_ * 3 * channels_;
  l == 0 ? std::fill_n(messages.v_sum, n_vectors, 0.F) : std::copy_n(messages.v, n_vectors, messages.v_sum);
  own_.pass_messages(messages);
}

Update GroupPass::update_of(std::int64_t l, Chunk atoms) const {
  const bool is_last = l + 1 == model_.n_layers();
  const std::int64_t gates_pitch = model_.layer(l).update[1].forward.n_out;
  const auto gates = of_layer(l, at_.gates, 0) + atoms.first * gates_pitch;
  return {.n_atoms = atoms.n,
          .channels = channels_,
          .has_vectors = !is_last,
          .mixing = model_.layer(l).axis_mixing,
          .s_sum = {common(at_.in, 2, atoms.first), 2 * channels_},
          .v_sum = of_layer(l, at_.v_sum, 3, atoms.first),
          .mixed = model_.is_painn() ? of_layer(l, at_.mixed, 6, atoms.first) : nullptr,
          .gates = {gates, gates_pitch},
          .s = is_last ? common(at_.gs, 1, atoms.first) : of_layer(l + 1, at_.s, 1, atoms.first),
          .v = is_last ? nullptr : of_layer(l + 1, at_.v, 3, atoms.first),
          .gs = common(at_.gs, 1, atoms.first),
          .gv = common(at_.gv, 3, atoms.first),
          .g_gates = {scratch_ + g_gates_at * chunk_rows * channels_, gates_pitch},
          .g_in = scratch_ + g_in_at * chunk_rows * channels_,
          .gs_sum = common(at_.gs_sum, 1, atoms.first),
          .gv_sum =
              model_.is_painn() ? scratch_ + g_mixed_at * chunk_rows * channels_ : common(at_.gv_sum, 3, atoms.first)};
}

void GroupPass::update(std::int64_t l) {
  const PackedLayer& layer = model_.layer(l);
  float* const hidden = scratch_ + hidden_at;
  for_each_chunk([&](Chunk atoms) {
    const Update update = update_of(l, atoms);
    float* const in = common(at_.in, 2, atoms.first);
    const Rows<float> to_lengths{in + channels_, 2 * channels_};
    if (model_.is_painn()) {
      float* const mixed = of_layer(l, at_.mixed, 6, atoms.first);
      multiply(update.v_sum, 3 * atoms.n, layer.mixing[0].forward, mixed);
      loops_.lengths({mixed, 2 * channels_}, atoms.n, channels_, static_cast<float>(norm_epsilon), to_lengths);
    } else {
      loops_.lengths({update.v_sum, channels_}, atoms.n, channels_, 0, to_lengths);
    }
    multiply(in, atoms.n, layer.update[0].forward, hidden);
    loops_.silu(hidden, of_layer(l, at_.slopes, 1, atoms.first), atoms.n * channels_);
    multiply(hidden, atoms.n, layer.update[1].forward, const_cast<float*>(update.gates.data));
    own_.update(update);
  });
}

/// Energies of atoms, and in the place of the last scalars their gradients.
void GroupPass::read_out() {
  const auto& layers = model_.readout();
  for_each_chunk([&](Chunk atoms) {
    float* const s = common(at_.gs, 1, atoms.first);
    float* next = scratch_;
    std::vector<float*> values{s}, slopes{nullptr};
    for (const PackedProduct& layer : layers) {
      const std::int64_t n = atoms.n * layer.forward.n_out;
      const float* in = values.back();
      values.push_back(next);
      slopes.push_back(next + n);
      next += 2 * n;
      multiply(in, atoms.n, layer.forward, values.back());
      loops_.silu(values.back(), slopes.back(), n);
    }
    const std::int64_t n_last = model_.n_last();
    for (std::int64_t i = 0; i < atoms.n; ++i) {
      float* row = values.back() + i * n_last;
      energies_[static_cast<std::size_t>(atoms.first + i)] =
          loops_.dot(row, model_.last_readout(), n_last) + model_.last_bias();
      std::copy_n(model_.last_readout(), n_last, row);
    }
    for (std::size_t r = layers.size(); args_.has_gradient() && r > 0; --r) {
      loops_.scale(values[r], slopes[r], atoms.n * layers[r - 1].forward.n_out);
      multiply(values[r], atoms.n, layers[r - 1].backward, values[r - 1]);
    }
  });
}

void GroupPass::update_backward(std::int64_t l) {
  const PackedLayer& layer = model_.layer(l);
  float* const g_hidden = scratch_ + hidden_at;
  for_each_chunk([&](Chunk atoms) {
    const Update update = update_of(l, atoms);
    own_.gates_backward(update);
    multiply(update.g_gates.data, atoms.n, layer.update[1].backward, g_hidden);
    loops_.scale(g_hidden, of_layer(l, at_.slopes, 1, atoms.first), atoms.n * channels_);
    multiply(g_hidden, atoms.n, layer.update[0].backward, const_cast<float*>(update.g_in));
    own_.vectors_backward(update);
    if (!model_.is_painn()) return;
    float* const gv_sum = common(at_.gv_sum, 3, atoms.first);
    multiply(update.gv_sum, 3 * atoms.n, layer.mixing[0].backward, gv_sum);
    if (update.has_vectors) loops_.add(gv_sum, update.gv, atoms.n * 3 * channels_);
  });
}

void GroupPass::pass_messages_backward(std::int64_t l) {
  const std::int64_t n = n_atoms_ * channels_;
  const MessagesBackward backward{.forward = messages_of(l),
                                  .gs_sum = {common(at_.gs_sum, 1), channels_},
                                  .gv_sum = common(at_.gv_sum, 3),
                                  .g_sent = model_.is_painn() ? Rows<float>{common(at_.g_sent, 3), 3 * channels_}
                                                              : Rows<float>{common(at_.gs, 1), channels_},
                                  .gv = common(at_.gv, 3),
                                  .by_pair = by_pair_.data()};
  if (l > 0) {
    model_.is_painn() ? std::fill_n(backward.g_sent.data, 3 * n, 0.F)
                      : std::copy_n(backward.gs_sum.data, n, backward.g_sent.data);
    std::copy_n(backward.gv_sum, 3 * n, backward.gv);
  }
  own_.pass_messages_backward(backward);
}

void GroupPass::context_backward(std::int64_t l) {
  float* const g_hidden = scratch_ + hidden_at;
  for_each_chunk([&](Chunk atoms) {
    float* const gs = common(at_.gs, 1, atoms.first);
    multiply(common(at_.g_sent, 3, atoms.first), atoms.n, model_.layer(l).context[1].backward, g_hidden);
    loops_.scale(g_hidden, of_layer(l, at_.context_slopes, 1, atoms.first), atoms.n * channels_);
    multiply(g_hidden, atoms.n, model_.layer(l).context[0].backward, gs);
    loops_.add(gs, common(at_.gs_sum, 1, atoms.first), atoms.n * channels_);
  });
}

void GroupPass::finish(std::span<const std::int32_t> molecules) const {
  std::int64_t row = 0;
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    const std::int64_t m = molecules[i], n = args_.batch->size(m);
    const float* positions = args_.positions + 3 * args_.batch->first(m);
    float nothing = 0;  // or no number, where a position is none
    for (std::int64_t k = 0; k < 3 * n; ++k) nothing += 0 * positions[k];
    double energy = nothing;
    for (std::int64_t k = row; k < row + n; ++k) energy += double{energies_[static_cast<std::size_t>(k)]};
    args_.energies[m] = energy;
    const auto begin = static_cast<std::size_t>(first_pair_[i]), end = static_cast<std::size_t>(first_pair_[i + 1]);
    if (args_.has_gradient())
      put_forces(m, row, std::span(pairs_.pairs()).subspan(begin, end - begin), by_pair_.data() + 4 * begin, nothing);
    row += n;
  }
}

/// d = |e| and u = e / (d + epsilon), back to the positions and the strain.
void GroupPass::put_forces(std::int64_t molecule, std::int64_t row, std::span<const Pair> pairs, const float* by_pair,
                           float nothing) const {
  const std::int64_t n = args_.batch->size(molecule);
  const auto steps = static_cast<double>(model_.n_intervals()) / model_.model().cutoff;
  std::vector<double> forces(static_cast<std::size_t>(3 * n), nothing);
  double virial[9];
  std::fill_n(virial, 9, double{nothing});
  for (const Pair& pair : pairs) {
    const double d = double{pair.length}, divisor = model_.is_painn() ? d : d + unit_epsilon;
    const double by_length = double{by_pair[0]} * steps;
    double along = 0;
    for (int x = 0; x < 3; ++x) along += double{by_pair[1 + x]} * double{pair.unit[x]};
    for (std::int64_t x = 0; x < 3; ++x) {
      const double g = double{pair.vector[x]} / d * (by_length - along / divisor) + double{by_pair[1 + x]} / divisor;
      forces[static_cast<std::size_t>(3 * (pair.first - row) + x)] += g;
      forces[static_cast<std::size_t>(3 * (pair.second - row) + x)] -= g;
      for (std::int64_t y = 0; y < 3; ++y) virial[3 * x + y] -= g * double{pair.vector[y]};
    }
    by_pair += 4;
  }
  if (args_.virials != nullptr) std::copy_n(virial, 9, args_.virials + 9 * molecule);
  if (args_.forces == nullptr) return;
  float* to = args_.forces + 3 * args_.batch->first(molecule);
  std::transform(forces.begin(), forces.end(), to, [](double force) { return static_cast<float>(force); });
}

}  // namespace rafter::forcefield_ladder::cpu
