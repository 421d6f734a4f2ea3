// A molecule's energy and its gradient in any number type, on one thread, step by step as the models are defined.
//
// The two models differ in the message of a neighbour (the student's scalars, products of them in PaiNN) and in the
// update of an atom. With i the receiver, j the sender, u the unit vector from i to j and W the filters of their
// distance:
//
//   message   s_i += Ws x_j           v_i += We y_j u + Wv z_j v_j         student: x = s, y = z = 1
//
// The gradient with respect to x is named gx. A filter depends on the distance only, so its gradient is a number times
// its slope.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "forcefield/reference/forcefield_reference_filters.hpp"
#include "forcefield/reference/forcefield_reference_update.hpp"

namespace rafter::forcefield_ladder {

template <class T>
class ForceFieldReference {
 public:
  explicit ForceFieldReference(const ModelView& model) : model_(model), f_(model.features), filters_(model) {}
  ForceFieldReference(const ForceFieldReference&) = delete;  // update_ refers to atoms_
  ForceFieldReference& operator=(const ForceFieldReference&) = delete;

  /// Returns the energy. Unless null, `gradient` [atoms][3] becomes its derivative with respect to the positions, and
  /// `strain` [3][3] that with respect to a strain, which moves positions x to x + strain x.
  double run(const std::int32_t* elements, std::int64_t n_atoms, const EdgeList<T>& edges, T* gradient,
             double* strain) {
    atoms_.n = n_atoms;
    edges_ = &edges;
    layers_.assign(at(model_.layers), {});
    filters_.prepare(edges, n_atoms);
    atoms_.s.resize(at(atoms_.n * f_));
    atoms_.v.assign(at(atoms_.n * 3 * f_), T{});
    for (std::int64_t i = 0; i < atoms_.n * f_; ++i)
      atoms_.s[at(i)] = static_cast<T>(model_.tensors[model_.at.embedding + elements[i / f_] * f_ + i % f_]);
    for (std::int64_t l = 0; l < model_.layers; ++l) {
      if (model_.is_painn()) make_context(l);
      pass_messages(l);
      update_.forward(l, layers_[at(l)]);
    }
    const double energy = read_out();
    if (gradient != nullptr || strain != nullptr) run_backward(gradient, strain);
    return energy;
  }

 private:
  using Numbers = std::vector<T>;
  using Layer = ReferenceLayer<T>;

  static constexpr std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

  void make_context(std::int64_t l) {
    Layer& layer = layers_[at(l)];
    layer.context_hidden = apply(model_.context_hidden(l), atoms_.s, atoms_.n);
    layer.x = apply(model_.context(l), activated(layer.context_hidden), atoms_.n);
  }

  /// The factors of a neighbour's filters.
  T sent(const Layer& layer, std::int64_t atom, int filter, std::int64_t c) const {
    if (model_.is_painn()) return layer.x[at((atom * n_filters + filter) * f_ + c)];
    return filter == scalar_filter ? layer.s[at(atom * f_ + c)] : T{1};
  }

  void pass_messages(std::int64_t l) {
    Layer& layer = layers_[at(l)];
    layer.s = atoms_.s;
    layer.v = atoms_.v;
    const int along = model_.edge_filter(), from = model_.vector_filter();
    for (std::int64_t i = 0; i < atoms_.n; ++i) {
      for (const Edge<T>& edge : edges_->of(i)) {
        const std::int64_t j = edge.sender;
        const EdgeDirection<T> direction(model_, edge);
        const auto [values, slopes] = filters_.of(l, &edge - edges_->edges.data(), direction.distance);
        for (std::int64_t c = 0; c < f_; ++c) {
          atoms_.s[at(i * f_ + c)] += values[c] * sent(layer, j, scalar_filter, c);
          const T to_edge = values[along * f_ + c] * sent(layer, j, along, c);
          const T to_vector = values[from * f_ + c] * sent(layer, j, from, c);
          for (std::int64_t x = 0; x < 3; ++x)
            atoms_.v[at((i * 3 + x) * f_ + c)] +=
                to_edge * direction.unit[x] + to_vector * layer.v[at((j * 3 + x) * f_ + c)];
        }
      }
    }
    layer.v_sum = atoms_.v;
  }

  double read_out() {
    readout_.clear();
    Numbers in = atoms_.s;
    for (std::int64_t r = 0; r < model_.n_readouts; ++r) {
      readout_.push_back(apply(model_.readout_layer(r), in, atoms_.n));
      in = activated(readout_.back());
    }
    double energy = 0;
    for (std::int64_t i = 0; i < atoms_.n; ++i) energy += static_cast<double>(readout_.back()[at(i)]);
    return energy;
  }

  void run_backward(T* gradient, double* strain) {
    for (std::int64_t i = 0; gradient != nullptr && i < 3 * atoms_.n; ++i) gradient[i] = 0;
    for (std::int64_t i = 0; strain != nullptr && i < 9; ++i) strain[i] = 0;
    atoms_.gs.assign(at(atoms_.n), T{1});
    for (std::int64_t r = model_.n_readouts - 1; r >= 0; --r) {
      if (r < model_.n_readouts - 1) activate_backward(readout_[at(r)], atoms_.gs);
      atoms_.gs = apply_backward(model_.readout_layer(r), atoms_.gs, atoms_.n);
    }
    atoms_.gv.assign(at(atoms_.n * 3 * f_), T{});
    for (std::int64_t l = model_.layers - 1; l >= 0; --l) {
      update_.backward(l, layers_[at(l)]);
      pass_messages_backward(l, gradient, strain);
    }
  }

  void pass_messages_backward(std::int64_t l, T* gradient, double* strain) {
    const Layer& layer = layers_[at(l)];
    const int along = model_.edge_filter(), from = model_.vector_filter();
    Numbers gs(atoms_.gs), gv(atoms_.gv), gx(layer.x.size());
    for (std::int64_t i = 0; i < atoms_.n; ++i) {
      for (const Edge<T>& edge : edges_->of(i)) {
        const std::int64_t j = edge.sender;
        const EdgeDirection<T> direction(model_, edge);
        const auto [values, slopes] = filters_.of(l, &edge - edges_->edges.data(), direction.distance);
        T g_distance = 0, g_unit[3] = {};
        for (std::int64_t c = 0; c < f_; ++c) {
          const T* const g = atoms_.gv.data() + i * 3 * f_ + c;  // of the receiver's vector: g[0], g[f], g[2f]
          const T* const v = layer.v.data() + j * 3 * f_ + c;
          const T by_scalar = atoms_.gs[at(i * f_ + c)];
          const T by_edge = g[0] * direction.unit[0] + g[f_] * direction.unit[1] + g[2 * f_] * direction.unit[2];
          const T by_vector = g[0] * v[0] + g[f_] * v[f_] + g[2 * f_] * v[2 * f_];
          const T ws = values[c], we = values[along * f_ + c], wv = values[from * f_ + c];
          g_distance += slopes[c] * by_scalar * sent(layer, j, scalar_filter, c) +
                        slopes[along * f_ + c] * by_edge * sent(layer, j, along, c) +
                        slopes[from * f_ + c] * by_vector * sent(layer, j, from, c);
          for (std::int64_t x = 0; x < 3; ++x) {
            g_unit[x] += we * sent(layer, j, along, c) * g[x * f_];
            gv[at((j * 3 + x) * f_ + c)] += wv * sent(layer, j, from, c) * g[x * f_];
          }
          if (model_.is_painn()) {
            gx[at((j * n_filters + scalar_filter) * f_ + c)] += ws * by_scalar;
            gx[at((j * n_filters + along) * f_ + c)] += we * by_edge;
            gx[at((j * n_filters + from) * f_ + c)] += wv * by_vector;
          } else {
            gs[at(j * f_ + c)] += ws * by_scalar;
          }
        }
        add_edge(i, edge, direction, g_distance, g_unit, gradient, strain);
      }
    }
    atoms_.gs = std::move(gs);
    atoms_.gv = std::move(gv);
    if (model_.is_painn()) context_backward(l, gx);
  }

  /// Propagates gradients through d = |e| and u = e / (d + epsilon) to the positions and the strain.
  void add_edge(std::int64_t receiver, const Edge<T>& edge, const EdgeDirection<T>& direction, T g_distance,
                const T* g_unit, T* gradient, double* strain) const {
    T along = 0;
    for (int x = 0; x < 3; ++x) along += g_unit[x] * direction.unit[x];
    for (std::int64_t x = 0; x < 3; ++x) {
      const T g = edge.vector[x] / direction.distance * (g_distance - along / direction.divisor) +
                  g_unit[x] / direction.divisor;
      if (gradient != nullptr) {
        gradient[3 * edge.sender + x] += g;
        gradient[3 * receiver + x] -= g;
      }
      for (std::int64_t y = 0; strain != nullptr && y < 3; ++y)
        strain[3 * x + y] += static_cast<double>(g) * static_cast<double>(edge.vector[y]);
    }
  }

  void context_backward(std::int64_t l, const Numbers& gx) {
    Numbers g_hidden = apply_backward(model_.context(l), gx, atoms_.n);
    activate_backward(layers_[at(l)].context_hidden, g_hidden);
    const Numbers gs = apply_backward(model_.context_hidden(l), g_hidden, atoms_.n);
    for (std::size_t i = 0; i < gs.size(); ++i) atoms_.gs[i] += gs[i];
  }

  ModelView model_;  // in host memory
  std::int64_t f_;
  ReferenceFilters<T> filters_;
  const EdgeList<T>* edges_ = nullptr;
  ReferenceAtoms<T> atoms_{};
  ReferenceUpdate<T> update_{model_, atoms_};
  std::vector<Layer> layers_;
  std::vector<Numbers> readout_;  // before SiLU
};

}  // namespace rafter::forcefield_ladder
