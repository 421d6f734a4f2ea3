// Both models operation by operation, with all intermediate results kept for the backward pass, as a framework with
// automatic differentiation runs them. For any extents, in float32 and float64, with exact filters. Bound by DRAM and
// launches.
#pragma once

#include <utility>
#include <vector>

#include "forcefield/cuda/forcefield_operations_backward.cuh"
#include "library/core/cuda/tile_product.cuh"
#include "library/core/stream/scratch.hpp"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

/// Whether the geometry and the radial functions of edges are separate operations or one.
enum class EdgeKernels { separate, fused };

template <class T, EdgeKernels Kernels>
class PerOp {
 public:
  PerOp(const Stream& stream, const ForceFieldArgs<T>& args, std::int64_t first_slot, std::int64_t n_slots)
      : stream_(stream), args_(args), model_(args.model->view_without_table()), f_(model_.features) {
    const BatchPlan& batch = *args.batch;
    range_ = atoms_of(batch, first_slot, n_slots);
    n_ = range_.n_atoms;
    n_edges_ = wait_for_edges(stream, range_, args.positions, model_.cutoff);
  }

  void run() {
    place_arrays();
    args_.stages.begin("neighbours");
    launch_lists(stream_, range_, args_.positions, model_.cutoff, first_, edges_);
    each(n_, PairEdges<T>{first_, edges_, receiver_, reverse_});
    args_.stages.begin("radial");
    make_edge_features();
    each(n_ * f_, Embed<T>{model_, range_, layers_.front().s});
    each(n_ * 3 * f_, Set<T>{T{0}, layers_.front().v});
    for (std::int64_t l = 0; l < model_.layers; ++l) {
      args_.stages.begin("message");
      send(l);
      args_.stages.begin("update");
      update(l);
    }
    args_.stages.begin("readout");
    read_out();
    if (args_.has_gradient()) run_backward();
    args_.stages.begin("sums");
    each(range_.n_slots, SumMolecules<T>{range_, first_, edges_, args_.positions, readout_.back(), g_edge_,
                                         args_.energies, args_.virials});
    if (args_.forces != nullptr)
      each(n_, SumForces<T>{range_, first_, reverse_, args_.positions, g_edge_, args_.forces});
  }

 private:
  /// The arrays that a layer keeps.
  struct Layer {
    T *s, *v;                                          // before it
    T *filter_hidden, *filter_active, *raw, *filters;  // of edges; raw: painn, before the cutoff
    T *context_hidden, *context_active, *context;      // painn
    T *s_sum, *v_sum, *mixed;                          // mixed: painn
    T *joined, *hidden, *active, *gates;
  };

  /// Takes arrays from memory, or only counts their bytes.
  class Arena {
   public:
    explicit Arena(std::byte* memory) : memory_(memory) {}
    template <class U>
    void take(U*& array, std::int64_t n) {
      array = memory_ == nullptr ? nullptr : reinterpret_cast<U*>(memory_ + used_);
      used_ += ceil_div(n * std::int64_t{sizeof(U)}, 256) * 256;
    }
    std::int64_t used() const { return used_; }

   private:
    std::byte* memory_;
    std::int64_t used_ = 0;
  };

  void place_arrays() {
    Arena counted(nullptr);
    take_arrays(counted);
    Arena arena(core::scratch(stream_, counted.used()));
    take_arrays(arena);
  }

  void take_arrays(Arena& arena) {
    const std::int64_t e = n_edges_, painn = model_.is_painn() ? 1 : 0, student = 1 - painn;
    arena.take(first_, list_bytes<T>(range_) / std::int64_t{sizeof(std::int64_t)});
    arena.take(edges_, e);
    arena.take(receiver_, e);
    arena.take(reverse_, e);
    arena.take(distance_, e);
    arena.take(unit_, 3 * e);
    arena.take(cutoff_, e);
    arena.take(phi_, e * model_.radial);
    layers_.resize(static_cast<std::size_t>(model_.layers + 1));
    for (Layer& layer : layers_) {
      arena.take(layer.s, n_ * f_);
      arena.take(layer.v, n_ * 3 * f_);
      arena.take(layer.filter_hidden, student * e * f_);
      arena.take(layer.filter_active, student * e * f_);
      arena.take(layer.raw, painn * e * 3 * f_);
      arena.take(layer.filters, e * 3 * f_);
      arena.take(layer.context_hidden, painn * n_ * f_);
      arena.take(layer.context_active, painn * n_ * f_);
      arena.take(layer.context, painn * n_ * 3 * f_);
      arena.take(layer.s_sum, n_ * f_);
      arena.take(layer.v_sum, n_ * 3 * f_);
      arena.take(layer.mixed, painn * n_ * 6 * f_);
      arena.take(layer.joined, n_ * 2 * f_);
      arena.take(layer.hidden, n_ * f_);
      arena.take(layer.active, n_ * f_);
      arena.take(layer.gates, n_ * 3 * f_);
    }
    readout_.resize(static_cast<std::size_t>(model_.n_readouts));
    readout_active_.resize(readout_.size());
    std::int64_t widest = 6 * f_;
    for (std::size_t i = 0; i < readout_.size(); ++i) {
      arena.take(readout_[i], n_ * model_.readout[i]);
      arena.take(readout_active_[i], n_ * model_.readout[i]);
      widest = std::max(widest, model_.readout[i]);
    }
    for (T*& array : edge_work_) arena.take(array, e * 3 * f_);
    for (T*& array : atom_work_) arena.take(array, n_ * widest);
    arena.take(gs_, n_ * f_);
    arena.take(gv_, n_ * 3 * f_);
    arena.take(g_distance_, e);
    arena.take(g_cutoff_, e);
    arena.take(g_edge_, 3 * e);
  }

  template <class Operation>
  void each(std::int64_t n, const Operation& operation) const {
    launch_each(stream_, n, operation);
  }

  void apply(const Linear& linear, std::int64_t rows, const T* in, T* out) const {
    core::launch_product<core::Right::transposed>(stream_, in, linear.weight, linear.bias, rows, linear.n_out,
                                                  linear.n_in, out);
  }
  void apply_backward(const Linear& linear, std::int64_t rows, const T* g_out, T* g_in) const {
    core::launch_product<core::Right::plain>(stream_, g_out, linear.weight, nullptr, rows, linear.n_in, linear.n_out,
                                             g_in);
  }

  Layer& layer(std::int64_t l) { return layers_[static_cast<std::size_t>(l)]; }

  void make_edge_features() const {
    const EdgeVectors<T> vectors{model_, edges_, distance_, unit_};
    const Cutoffs<T> cutoffs{model_, distance_, cutoff_};
    const Radial<T> radial{model_, distance_, cutoff_, phi_};
    if constexpr (Kernels == EdgeKernels::fused) {
      each(n_edges_, EdgeFeatures<T>{vectors, cutoffs, radial});
    } else {
      each(n_edges_, vectors);
      each(n_edges_, cutoffs);
      each(n_edges_ * model_.radial, radial);
    }
  }

  SentBy<T> sent(std::int64_t l) { return {model_, layer(l).s, layer(l).context}; }

  void send(std::int64_t l) {
    Layer& now = layer(l);
    if (model_.is_painn()) {
      apply(model_.filter(l), n_edges_, phi_, now.raw);
      each(n_edges_ * 3 * f_, CutOff<T>{3 * f_, now.raw, cutoff_, now.filters});
      apply(model_.context_hidden(l), n_, now.s, now.context_hidden);
      each(n_ * f_, Activate<T>{now.context_hidden, now.context_active});
      apply(model_.context(l), n_, now.context_active, now.context);
    } else {
      apply(model_.filter_hidden(l), n_edges_, phi_, now.filter_hidden);
      each(n_edges_ * f_, Activate<T>{now.filter_hidden, now.filter_active});
      apply(model_.filter(l), n_edges_, now.filter_active, now.filters);
    }
    T *to_s = edge_work_[0], *to_v = edge_work_[1];
    each(n_edges_ * f_, Messages<T>{sent(l), edges_, unit_, now.filters, now.v, to_s, to_v});
    each(n_ * f_, SumEdges<T>{first_, nullptr, f_, now.s, to_s, now.s_sum});
    each(n_ * 3 * f_, SumEdges<T>{first_, nullptr, 3 * f_, now.v, to_v, now.v_sum});
  }

  /// The vectors whose lengths the update uses.
  std::pair<T*, std::int64_t> vectors(std::int64_t l) {
    return model_.is_painn() ? std::pair{layer(l).mixed, 2 * f_} : std::pair{layer(l).v_sum, f_};
  }
  T length_epsilon() const { return model_.is_painn() ? static_cast<T>(1e-8) : T{0}; }

  void update(std::int64_t l) {
    Layer &now = layer(l), &next = layer(l + 1);
    if (model_.is_painn()) apply(model_.channel_mixing(l), 3 * n_, now.v_sum, now.mixed);
    const auto [rows, stride] = vectors(l);
    each(n_ * f_, JoinLengths<T>{f_, stride, length_epsilon(), now.s_sum, rows, now.joined});
    apply(model_.update_hidden(l), n_, now.joined, now.hidden);
    each(n_ * f_, Activate<T>{now.hidden, now.active});
    apply(model_.update(l), n_, now.active, now.gates);
    if (model_.is_painn()) {
      each(n_ * f_, UpdatePainn<T>{f_, now.gates, now.mixed, now.s_sum, now.v_sum, next.s, next.v});
    } else {
      each(n_ * f_, UpdateStudent<T>{f_, model_.axis_mixing(l), now.gates, now.s_sum, now.v_sum, next.s, next.v});
    }
  }

  void read_out() {
    const T* in = layers_.back().s;
    for (std::size_t i = 0; i < readout_.size(); ++i) {
      apply(model_.readout_layer(static_cast<std::int64_t>(i)), n_, in, readout_[i]);
      if (i + 1 == readout_.size()) break;
      each(n_ * model_.readout[i], Activate<T>{readout_[i], readout_active_[i]});
      in = readout_active_[i];
    }
  }

  void run_backward() {
    args_.stages.begin("readout backward");
    T *g = atom_work_[0], *other = atom_work_[1];
    each(n_, Set<T>{T{1}, g});
    for (std::int64_t i = model_.n_readouts - 1; i >= 0; --i) {
      const bool is_active = i + 1 < model_.n_readouts;
      if (is_active) each(n_ * model_.readout[i], ActivateBackward<T>{readout_[static_cast<std::size_t>(i)], g});
      apply_backward(model_.readout_layer(i), n_, g, i == 0 ? gs_ : other);
      std::swap(g, other);
    }
    each(n_ * 3 * f_, Set<T>{T{0}, gv_});
    each(n_edges_, Set<T>{T{0}, g_distance_});
    each(n_edges_, Set<T>{T{0}, g_cutoff_});
    each(3 * n_edges_, Set<T>{T{0}, g_edge_});
    for (std::int64_t l = model_.layers - 1; l >= 0; --l) {
      args_.stages.begin("update backward");
      update_backward(l);
      args_.stages.begin("message backward");
      send_backward(l);
    }
    args_.stages.begin("radial backward");
    const RadialBackward<T> radial{model_, distance_, g_phi(), g_distance_};
    const EdgeVectorsBackward<T> vectors{model_, edges_, distance_, unit_, g_distance_, g_cutoff_, g_edge_};
    if constexpr (Kernels == EdgeKernels::fused) {
      each(n_edges_, EdgeFeaturesBackward<T>{radial, vectors});
    } else {
      each(n_edges_, radial);
      each(n_edges_, vectors);
    }
  }

  void update_backward(std::int64_t l) {
    Layer& now = layer(l);
    T *g_gates = atom_work_[0], *g_hidden = atom_work_[1], *g_joined = atom_work_[2], *g_vectors = atom_work_[3];
    if (model_.is_painn()) {
      each(n_ * f_, UpdatePainnBackward<T>{f_, now.gates, now.mixed, gs_, gv_, g_gates, g_vectors});
    } else {
      each(n_ * f_,
           UpdateStudentBackward<T>{f_, model_.axis_mixing(l), now.gates, now.v_sum, gs_, gv_, g_gates, g_vectors});
    }
    apply_backward(model_.update(l), n_, g_gates, g_hidden);
    each(n_ * f_, ActivateBackward<T>{now.hidden, g_hidden});
    apply_backward(model_.update_hidden(l), n_, g_hidden, g_joined);
    const auto [rows, stride] = vectors(l);
    each(n_ * f_, JoinLengthsBackward<T>{f_, stride, length_epsilon(), g_joined, rows, gs_, g_vectors});
    if (model_.is_painn()) {
      apply_backward(model_.channel_mixing(l), 3 * n_, g_vectors, atom_work_[0]);
      each(n_ * 3 * f_, Add<T>{atom_work_[0], gv_});
    } else {
      std::swap(gv_, atom_work_[3]);
    }
  }

  void send_backward(std::int64_t l) {
    Layer& now = layer(l);
    T *g_filters = edge_work_[0], *g_sent = edge_work_[1], *g_v = edge_work_[2], *g_unit = edge_work_[3];
    each(n_edges_ * f_, MessagesBackward<T>{sent(l), edges_, receiver_, unit_, now.filters, now.v, gs_, gv_, g_filters,
                                            g_sent, g_v, g_unit});
    each(3 * n_edges_, SumChannels<T>{f_, g_unit, g_edge_});
    each(n_ * 3 * f_, SumEdges<T>{first_, reverse_, 3 * f_, gv_, g_v, atom_work_[1]});
    std::swap(gv_, atom_work_[1]);
    T* summed = atom_work_[0];
    each(n_ * 3 * f_, SumEdges<T>{first_, reverse_, 3 * f_, nullptr, g_sent, summed});
    if (model_.is_painn()) {
      T *g_hidden = atom_work_[1], *g_s = atom_work_[2];
      apply_backward(model_.context(l), n_, summed, g_hidden);
      each(n_ * f_, ActivateBackward<T>{now.context_hidden, g_hidden});
      apply_backward(model_.context_hidden(l), n_, g_hidden, g_s);
      each(n_ * f_, Add<T>{g_s, gs_});
    } else {
      each(n_ * f_, AddScalars<T>{f_, summed, gs_});
    }
    filters_backward(l, g_filters);
  }

  void filters_backward(std::int64_t l, T* g_filters) {
    T* g_of_phi = g_phi();
    if (model_.is_painn()) {
      each(n_edges_, CutOffBackward<T>{3 * f_, layer(l).raw, cutoff_, g_filters, g_cutoff_});
      add_product(model_.filter(l), g_filters, g_of_phi, l);
    } else {
      T* g_hidden = edge_work_[1];
      apply_backward(model_.filter(l), n_edges_, g_filters, g_hidden);
      each(n_edges_ * f_, ActivateBackward<T>{layer(l).filter_hidden, g_hidden});
      add_product(model_.filter_hidden(l), g_hidden, g_of_phi, l);
    }
  }

  /// Propagates the gradients of all layers' filters to the radial functions; overwrites phi.
  T* g_phi() const { return phi_; }

  void add_product(const Linear& linear, const T* g_out, T* sum, std::int64_t l) {
    if (l + 1 == model_.layers) return apply_backward(linear, n_edges_, g_out, sum);  // phi is not needed any more
    apply_backward(linear, n_edges_, g_out, edge_work_[2]);
    each(n_edges_ * linear.n_in, Add<T>{edge_work_[2], sum});
  }

  const Stream& stream_;
  const ForceFieldArgs<T>& args_;
  ModelView model_;
  AtomRange range_{};
  std::int64_t f_, n_ = 0, n_edges_ = 0;
  std::vector<Layer> layers_;
  std::int64_t *first_ = nullptr, *reverse_ = nullptr;
  ListedEdge<T>* edges_ = nullptr;
  int* receiver_ = nullptr;
  T *distance_ = nullptr, *unit_ = nullptr, *cutoff_ = nullptr, *phi_ = nullptr;
  std::vector<T*> readout_, readout_active_;  // before and after SiLU; the last is the atoms' energies
  T* edge_work_[4] = {};
  T* atom_work_[4] = {};
  T *gs_ = nullptr, *gv_ = nullptr;
  T *g_distance_ = nullptr, *g_cutoff_ = nullptr, *g_edge_ = nullptr;
};

/// Computes all molecules of a batch, a limited number of atoms at a time.
template <EdgeKernels Kernels, class T>
void launch_per_op(const Stream& stream, const ForceFieldArgs<T>& args, std::int64_t most_atoms) {
  const BatchPlan& batch = *args.batch;
  for (std::int64_t slot = 0; slot < batch.n_molecules();) {
    std::int64_t end = slot + 1;
    while (end < batch.n_molecules() && batch.order_first(end + 1) - batch.order_first(slot) <= most_atoms) ++end;
    PerOp<T, Kernels>(stream, args, slot, end - slot).run();
    slot = end;
  }
}

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND
