// A molecule's energy and its gradient in any number type, on one thread, step by step as the models are written down.
//
// The two models differ in what a neighbour sends (the student its scalars, PaiNN products of them) and in how an atom
// is updated. With i the receiver, j the sender, u the unit vector from i to j and W the filters of their distance:
//
//   message   s_i += Ws x_j           v_i += We y_j u + Wv z_j v_j         student: x = s, y = z = 1
//
// Gradients have the names of what they are by, with a g before them. A filter depends on the distance alone, so its
// gradient is a number times its slope.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "forcefield/forcefield_edges.hpp"
#include "forcefield/forcefield_filters.hpp"

namespace rafter::forcefield_ladder {

inline constexpr double unit_epsilon = 1e-8;  // student: u = e / (d + this)
inline constexpr double norm_epsilon = 1e-8;  // painn: |v| = sqrt(v v + this)

template <class T>
class ForceFieldReference {
 public:
  explicit ForceFieldReference(const ModelView& model) : model_(model), network_(model), f_(model.features) {}

  /// The energy. Unless null, `gradient` [atoms][3] becomes its derivative by the positions, and `strain` [3][3] that
  /// by a strain that moves positions x to x + strain x.
  double run(const std::int32_t* elements, std::int64_t n_atoms, const EdgeList<T>& edges, T* gradient,
             double* strain) {
    n_ = n_atoms;
    edges_ = &edges;
    layers_.assign(at(model_.layers), {});
    prepare_filters();
    s_.resize(at(n_ * f_));
    v_.assign(at(n_ * 3 * f_), T{});
    for (std::int64_t i = 0; i < n_ * f_; ++i)
      s_[at(i)] = static_cast<T>(model_.tensors[model_.at.embedding + elements[i / f_] * f_ + i % f_]);
    for (std::int64_t l = 0; l < model_.layers; ++l) {
      if (model_.is_painn()) make_context(l);
      pass_messages(l);
      model_.is_painn() ? update_painn(l) : update_student(l);
    }
    const double energy = read_out();
    if (gradient != nullptr || strain != nullptr) run_backward(gradient, strain);
    return energy;
  }

 private:
  using Numbers = std::vector<T>;

  /// What the backward pass needs of a layer.
  struct Layer {
    Numbers s, v;               // before the layer: [atoms][f], [atoms][3][f]
    Numbers context_hidden, x;  // painn: [atoms][f], [atoms][3][f]
    Numbers v_sum;              // with the messages: [atoms][3][f]
    Numbers mixed;              // painn: [atoms][3][2][f]
    Numbers hidden;             // before SiLU: [atoms][f]
    Numbers gates;              // [atoms][3][f]
  };

  struct Direction {
    T unit[3];
    T distance;
  };

  static constexpr std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

  Direction direction_of(const Edge<T>& edge) const {
    const auto& e = edge.vector;
    const T d = std::sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    const T divisor = model_.is_painn() ? d : d + static_cast<T>(unit_epsilon);
    return {{e[0] / divisor, e[1] / divisor, e[2] / divisor}, d};
  }

  struct Filters {
    const T* values;
    const T* slopes;
  };

  /// Filters are kept for the backward pass and for the edge the other way round, unless they would be too many.
  void prepare_filters() {
    constexpr std::int64_t most = std::int64_t{1} << 24;
    const std::int64_t n_edges = std::ssize(edges_->edges), size = 2 * n_filters * f_;
    keeps_filters_ = model_.layers * n_edges * size <= most;
    filters_.resize(at(size * (keeps_filters_ ? model_.layers * n_edges : 1)));
    same_as_.clear();
    for (std::int64_t i = 0; keeps_filters_ && i < n_; ++i) {
      for (const Edge<T>& edge : edges_->of(i)) {
        std::int64_t same = &edge - edges_->edges.data();
        if (edge.sender < i) {
          for (const Edge<T>& other : edges_->of(edge.sender)) {
            const bool is_opposite = other.sender == i && other.vector[0] == -edge.vector[0] &&
                                     other.vector[1] == -edge.vector[1] && other.vector[2] == -edge.vector[2];
            if (is_opposite) same = &other - edges_->edges.data();
          }
        }
        same_as_.push_back(same);
      }
    }
    for (std::int64_t l = 0; keeps_filters_ && l < model_.layers; ++l) {
      for (std::int64_t e = 0; e < n_edges; ++e) {
        if (same_as_[at(e)] != e) continue;
        T* to = filters_.data() + (l * n_edges + e) * size;
        network_.set_distance(direction_of(edges_->edges[at(e)]).distance);
        network_.evaluate(l, to, to + n_filters * f_);
      }
    }
  }

  Filters filters_of(std::int64_t layer, std::int64_t edge, T distance) {
    const std::int64_t size = 2 * n_filters * f_;
    if (keeps_filters_) {
      const T* kept = filters_.data() + (layer * std::ssize(edges_->edges) + same_as_[at(edge)]) * size;
      return {kept, kept + n_filters * f_};
    }
    network_.set_distance(distance);
    network_.evaluate(layer, filters_.data(), filters_.data() + n_filters * f_);
    return {filters_.data(), filters_.data() + n_filters * f_};
  }

  /// out = bias + in . transposed, for `n_rows` rows.
  static Numbers apply(const Linear& linear, const Numbers& in, std::int64_t n_rows) {
    Numbers out(at(n_rows * linear.n_out));
    for (std::int64_t row = 0; row < n_rows; ++row) {
      T* sums = out.data() + row * linear.n_out;
      for (std::int64_t i = 0; i < linear.n_out; ++i)
        sums[i] = linear.bias == nullptr ? T{} : static_cast<T>(linear.bias[i]);
      for (std::int64_t k = 0; k < linear.n_in; ++k) {
        const T value = in[at(row * linear.n_in + k)];
        for (std::int64_t i = 0; i < linear.n_out; ++i)
          sums[i] += value * static_cast<T>(linear.transposed[k * linear.n_out + i]);
      }
    }
    return out;
  }

  static Numbers apply_backward(const Linear& linear, const Numbers& g_out, std::int64_t n_rows) {
    return apply({linear.transposed, linear.weight, nullptr, linear.n_out, linear.n_in}, g_out, n_rows);
  }

  static Numbers activated(const Numbers& in) {
    Numbers out(in);
    for (T& value : out) value = silu(value).value;
    return out;
  }

  static void activate_backward(const Numbers& in, Numbers& g) {
    for (std::size_t i = 0; i < g.size(); ++i) g[i] *= silu(in[i]).slope;
  }

  void make_context(std::int64_t l) {
    Layer& layer = layers_[at(l)];
    layer.context_hidden = apply(model_.context_hidden(l), s_, n_);
    layer.x = apply(model_.context(l), activated(layer.context_hidden), n_);
  }

  /// What a neighbour's filter is multiplied by.
  T sent(const Layer& layer, std::int64_t atom, int filter, std::int64_t c) const {
    if (model_.is_painn()) return layer.x[at((atom * n_filters + filter) * f_ + c)];
    return filter == scalar_filter ? layer.s[at(atom * f_ + c)] : T{1};
  }

  void pass_messages(std::int64_t l) {
    Layer& layer = layers_[at(l)];
    layer.s = s_;
    layer.v = v_;
    const int along = model_.edge_filter(), from = model_.vector_filter();
    for (std::int64_t i = 0; i < n_; ++i) {
      for (const Edge<T>& edge : edges_->of(i)) {
        const std::int64_t j = edge.sender;
        const Direction direction = direction_of(edge);
        const auto [values, slopes] = filters_of(l, &edge - edges_->edges.data(), direction.distance);
        for (std::int64_t c = 0; c < f_; ++c) {
          s_[at(i * f_ + c)] += values[c] * sent(layer, j, scalar_filter, c);
          const T to_edge = values[along * f_ + c] * sent(layer, j, along, c);
          const T to_vector = values[from * f_ + c] * sent(layer, j, from, c);
          for (std::int64_t x = 0; x < 3; ++x)
            v_[at((i * 3 + x) * f_ + c)] += to_edge * direction.unit[x] + to_vector * layer.v[at((j * 3 + x) * f_ + c)];
        }
      }
    }
    layer.v_sum = v_;
  }

  /// [atoms][2f]: scalars, and lengths of vectors.
  Numbers joined(const Numbers& lengths) const {
    Numbers in(at(n_ * 2 * f_));
    for (std::int64_t i = 0; i < n_; ++i) {
      for (std::int64_t c = 0; c < f_; ++c) {
        in[at(i * 2 * f_ + c)] = s_[at(i * f_ + c)];
        in[at(i * 2 * f_ + f_ + c)] = lengths[at(i * f_ + c)];
      }
    }
    return in;
  }

  void make_gates(std::int64_t l, const Numbers& lengths) {
    Layer& layer = layers_[at(l)];
    layer.hidden = apply(model_.update_hidden(l), joined(lengths), n_);
    layer.gates = apply(model_.update(l), activated(layer.hidden), n_);
  }

  T gate(const Layer& layer, std::int64_t atom, int which, std::int64_t c) const {
    return layer.gates[at((atom * 3 + which) * f_ + c)];
  }

  static T square(T x) { return x * x; }

  /// |v|^2 of [atoms][3][stride].
  T norm2(const Numbers& v, std::int64_t stride, std::int64_t atom, std::int64_t c) const {
    return square(v[at((atom * 3 + 0) * stride + c)]) + square(v[at((atom * 3 + 1) * stride + c)]) +
           square(v[at((atom * 3 + 2) * stride + c)]);
  }

  void update_student(std::int64_t l) {
    Layer& layer = layers_[at(l)];
    Numbers lengths(at(n_ * f_));
    for (std::int64_t i = 0; i < n_ * f_; ++i) lengths[at(i)] = std::sqrt(norm2(v_, f_, i / f_, i % f_));
    make_gates(l, lengths);
    const float* m = model_.axis_mixing(l);
    for (std::int64_t i = 0; i < n_; ++i) {
      for (std::int64_t c = 0; c < f_; ++c) {
        s_[at(i * f_ + c)] += gate(layer, i, 0, c);
        for (std::int64_t x = 0; x < 3; ++x) {
          T turned = 0;
          for (std::int64_t y = 0; y < 3; ++y)
            turned += static_cast<T>(m[3 * x + y]) * layer.v_sum[at((i * 3 + y) * f_ + c)];
          v_[at((i * 3 + x) * f_ + c)] =
              layer.v_sum[at((i * 3 + x) * f_ + c)] * gate(layer, i, 1, c) + turned * gate(layer, i, 2, c);
        }
      }
    }
  }

  void update_painn(std::int64_t l) {
    Layer& layer = layers_[at(l)];
    layer.mixed = apply(model_.channel_mixing(l), v_, n_ * 3);
    Numbers lengths(at(n_ * f_));
    for (std::int64_t i = 0; i < n_ * f_; ++i)
      lengths[at(i)] = std::sqrt(norm2(layer.mixed, 2 * f_, i / f_, i % f_) + static_cast<T>(norm_epsilon));
    make_gates(l, lengths);
    for (std::int64_t i = 0; i < n_; ++i) {
      for (std::int64_t c = 0; c < f_; ++c) {
        T product = 0;
        for (std::int64_t x = 0; x < 3; ++x) {
          const T* mixed = layer.mixed.data() + (i * 3 + x) * 2 * f_;
          product += mixed[c] * mixed[f_ + c];
          v_[at((i * 3 + x) * f_ + c)] += gate(layer, i, 1, c) * mixed[f_ + c];
        }
        s_[at(i * f_ + c)] += gate(layer, i, 0, c) + gate(layer, i, 2, c) * product;
      }
    }
  }

  double read_out() {
    readout_.clear();
    Numbers in = s_;
    for (std::int64_t r = 0; r < model_.n_readouts; ++r) {
      readout_.push_back(apply(model_.readout_layer(r), in, n_));
      in = activated(readout_.back());
    }
    double energy = 0;
    for (std::int64_t i = 0; i < n_; ++i) energy += static_cast<double>(readout_.back()[at(i)]);
    return energy;
  }

  void run_backward(T* gradient, double* strain) {
    for (std::int64_t i = 0; gradient != nullptr && i < 3 * n_; ++i) gradient[i] = 0;
    for (std::int64_t i = 0; strain != nullptr && i < 9; ++i) strain[i] = 0;
    gs_.assign(at(n_), T{1});
    for (std::int64_t r = model_.n_readouts - 1; r >= 0; --r) {
      if (r < model_.n_readouts - 1) activate_backward(readout_[at(r)], gs_);
      gs_ = apply_backward(model_.readout_layer(r), gs_, n_);
    }
    gv_.assign(at(n_ * 3 * f_), T{});
    for (std::int64_t l = model_.layers - 1; l >= 0; --l) {
      model_.is_painn() ? update_painn_backward(l) : update_student_backward(l);
      pass_messages_backward(l, gradient, strain);
    }
  }

  /// From gradients by the gates; adds to gs_ and returns those by the lengths, [atoms][f].
  Numbers gates_backward(std::int64_t l, const Numbers& g_gates) {
    const Layer& layer = layers_[at(l)];
    Numbers g_hidden = apply_backward(model_.update(l), g_gates, n_);
    activate_backward(layer.hidden, g_hidden);
    const Numbers g_in = apply_backward(model_.update_hidden(l), g_hidden, n_);
    Numbers g_lengths(at(n_ * f_));
    for (std::int64_t i = 0; i < n_; ++i) {
      for (std::int64_t c = 0; c < f_; ++c) {
        gs_[at(i * f_ + c)] += g_in[at(i * 2 * f_ + c)];
        g_lengths[at(i * f_ + c)] = g_in[at(i * 2 * f_ + f_ + c)];
      }
    }
    return g_lengths;
  }

  void update_student_backward(std::int64_t l) {
    const Layer& layer = layers_[at(l)];
    const float* m = model_.axis_mixing(l);
    Numbers g_gates(at(n_ * 3 * f_)), gv(gv_.size());
    for (std::int64_t i = 0; i < n_; ++i) {
      for (std::int64_t c = 0; c < f_; ++c) {
        T g_straight = 0, g_turned = 0;
        for (std::int64_t x = 0; x < 3; ++x) {
          const T g = gv_[at((i * 3 + x) * f_ + c)];
          g_straight += g * layer.v_sum[at((i * 3 + x) * f_ + c)];
          gv[at((i * 3 + x) * f_ + c)] += g * gate(layer, i, 1, c);
          for (std::int64_t y = 0; y < 3; ++y) {
            g_turned += g * static_cast<T>(m[3 * x + y]) * layer.v_sum[at((i * 3 + y) * f_ + c)];
            gv[at((i * 3 + y) * f_ + c)] += g * gate(layer, i, 2, c) * static_cast<T>(m[3 * x + y]);
          }
        }
        g_gates[at((i * 3 + 0) * f_ + c)] = gs_[at(i * f_ + c)];
        g_gates[at((i * 3 + 1) * f_ + c)] = g_straight;
        g_gates[at((i * 3 + 2) * f_ + c)] = g_turned;
      }
    }
    const Numbers g_lengths = gates_backward(l, g_gates);
    for (std::int64_t i = 0; i < n_; ++i) {
      for (std::int64_t c = 0; c < f_; ++c) {
        const T length = std::sqrt(norm2(layer.v_sum, f_, i, c));
        for (std::int64_t x = 0; x < 3 && length > 0; ++x)  // at 0, as PyTorch has it, there is no gradient
          gv[at((i * 3 + x) * f_ + c)] += g_lengths[at(i * f_ + c)] * layer.v_sum[at((i * 3 + x) * f_ + c)] / length;
      }
    }
    gv_ = std::move(gv);
  }

  void update_painn_backward(std::int64_t l) {
    const Layer& layer = layers_[at(l)];
    Numbers g_gates(at(n_ * 3 * f_)), g_mixed(layer.mixed.size());
    for (std::int64_t i = 0; i < n_; ++i) {
      for (std::int64_t c = 0; c < f_; ++c) {
        const T g = gs_[at(i * f_ + c)];
        T product = 0, g_vector = 0;
        for (std::int64_t x = 0; x < 3; ++x) {
          const std::int64_t row = (i * 3 + x) * 2 * f_;
          const T left = layer.mixed[at(row + c)], right = layer.mixed[at(row + f_ + c)];
          const T gv = gv_[at((i * 3 + x) * f_ + c)];
          product += left * right;
          g_vector += gv * right;
          g_mixed[at(row + c)] = g * gate(layer, i, 2, c) * right;
          g_mixed[at(row + f_ + c)] = g * gate(layer, i, 2, c) * left + gv * gate(layer, i, 1, c);
        }
        g_gates[at((i * 3 + 0) * f_ + c)] = g;
        g_gates[at((i * 3 + 1) * f_ + c)] = g_vector;
        g_gates[at((i * 3 + 2) * f_ + c)] = g * product;
      }
    }
    const Numbers g_lengths = gates_backward(l, g_gates);
    for (std::int64_t i = 0; i < n_; ++i) {
      for (std::int64_t c = 0; c < f_; ++c) {
        const T length = std::sqrt(norm2(layer.mixed, 2 * f_, i, c) + static_cast<T>(norm_epsilon));
        for (std::int64_t x = 0; x < 3; ++x) {
          const std::int64_t row = (i * 3 + x) * 2 * f_;
          g_mixed[at(row + c)] += g_lengths[at(i * f_ + c)] * layer.mixed[at(row + c)] / length;
        }
      }
    }
    const Numbers gv = apply_backward(model_.channel_mixing(l), g_mixed, n_ * 3);
    for (std::size_t i = 0; i < gv.size(); ++i) gv_[i] += gv[i];
  }

  void pass_messages_backward(std::int64_t l, T* gradient, double* strain) {
    const Layer& layer = layers_[at(l)];
    const int along = model_.edge_filter(), from = model_.vector_filter();
    Numbers gs(gs_), gv(gv_), gx(layer.x.size());
    for (std::int64_t i = 0; i < n_; ++i) {
      for (const Edge<T>& edge : edges_->of(i)) {
        const std::int64_t j = edge.sender;
        const Direction direction = direction_of(edge);
        const auto [values, slopes] = filters_of(l, &edge - edges_->edges.data(), direction.distance);
        T g_distance = 0, g_unit[3] = {};
        for (std::int64_t c = 0; c < f_; ++c) {
          const T* const g = gv_.data() + i * 3 * f_ + c;  // of the receiver's vector: g[0], g[f], g[2f]
          const T* const v = layer.v.data() + j * 3 * f_ + c;
          const T by_scalar = gs_[at(i * f_ + c)];
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
    gs_ = std::move(gs);
    gv_ = std::move(gv);
    if (model_.is_painn()) context_backward(l, gx);
  }

  /// d = |e| and u = e / (d + epsilon), back to the positions and the strain.
  void add_edge(std::int64_t receiver, const Edge<T>& edge, const Direction& direction, T g_distance, const T* g_unit,
                T* gradient, double* strain) const {
    const T d = direction.distance;
    const T divisor = model_.is_painn() ? d : d + static_cast<T>(unit_epsilon);
    T along = 0;
    for (int x = 0; x < 3; ++x) along += g_unit[x] * direction.unit[x];
    for (std::int64_t x = 0; x < 3; ++x) {
      const T g = edge.vector[x] / d * (g_distance - along / divisor) + g_unit[x] / divisor;
      if (gradient != nullptr) {
        gradient[3 * edge.sender + x] += g;
        gradient[3 * receiver + x] -= g;
      }
      for (std::int64_t y = 0; strain != nullptr && y < 3; ++y)
        strain[3 * x + y] += static_cast<double>(g) * static_cast<double>(edge.vector[y]);
    }
  }

  void context_backward(std::int64_t l, const Numbers& gx) {
    Numbers g_hidden = apply_backward(model_.context(l), gx, n_);
    activate_backward(layers_[at(l)].context_hidden, g_hidden);
    const Numbers gs = apply_backward(model_.context_hidden(l), g_hidden, n_);
    for (std::size_t i = 0; i < gs.size(); ++i) gs_[i] += gs[i];
  }

  ModelView model_;  // on the host
  FilterNetwork<T> network_;
  std::int64_t f_, n_ = 0;
  const EdgeList<T>* edges_ = nullptr;
  bool keeps_filters_ = false;
  std::vector<std::int64_t> same_as_;  // edge: an earlier one of the same length, or the edge itself
  Numbers filters_;                    // kept: [layer][edge][values, slopes][filter][f]; else of one edge
  Numbers s_, v_, gs_, gv_;
  std::vector<Layer> layers_;
  std::vector<Numbers> readout_;  // before SiLU
};

}  // namespace rafter::forcefield_ladder
