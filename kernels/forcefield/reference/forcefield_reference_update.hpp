// The state of atoms, products of their rows, and their updates, forward and backward, for the reference.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "forcefield/model/forcefield_filters.hpp"

namespace rafter::forcefield_ladder {

inline constexpr double norm_epsilon = 1e-8;  // painn: |v| = sqrt(v v + this)

/// The scalars and vectors of a molecule's atoms, and the energy's gradients with respect to them.
template <class T>
struct ReferenceAtoms {
  std::int64_t n = 0;
  std::vector<T> s, gs;  // [atoms][f]
  std::vector<T> v, gv;  // [atoms][3][f]
};

/// The intermediate results of a layer that the backward pass needs.
template <class T>
struct ReferenceLayer {
  std::vector<T> s, v;               // before the layer: [atoms][f], [atoms][3][f]
  std::vector<T> context_hidden, x;  // painn: [atoms][f], [atoms][3][f]
  std::vector<T> v_sum;              // with the messages: [atoms][3][f]
  std::vector<T> mixed;              // painn: [atoms][3][2][f]
  std::vector<T> hidden;             // before SiLU: [atoms][f]
  std::vector<T> gates;              // [atoms][3][f]
};

/// Computes out = bias + in . transposed for `n_rows` rows.
template <class T>
std::vector<T> apply(const Linear& linear, const std::vector<T>& in, std::int64_t n_rows) {
  std::vector<T> out(static_cast<std::size_t>(n_rows * linear.n_out));
  for (std::int64_t row = 0; row < n_rows; ++row) {
    T* sums = out.data() + row * linear.n_out;
    for (std::int64_t i = 0; i < linear.n_out; ++i)
      sums[i] = linear.bias == nullptr ? T{} : static_cast<T>(linear.bias[i]);
    for (std::int64_t k = 0; k < linear.n_in; ++k) {
      const T value = in[static_cast<std::size_t>(row * linear.n_in + k)];
      for (std::int64_t i = 0; i < linear.n_out; ++i)
        sums[i] += value * static_cast<T>(linear.transposed[k * linear.n_out + i]);
    }
  }
  return out;
}

template <class T>
std::vector<T> apply_backward(const Linear& linear, const std::vector<T>& g_out, std::int64_t n_rows) {
  return apply({linear.transposed, linear.weight, nullptr, linear.n_out, linear.n_in}, g_out, n_rows);
}

template <class T>
std::vector<T> activated(std::vector<T> values) {
  for (T& value : values) value = silu(value).value;
  return values;
}

template <class T>
void activate_backward(const std::vector<T>& in, std::vector<T>& g) {
  for (std::size_t i = 0; i < g.size(); ++i) g[i] *= silu(in[i]).slope;
}

/// The update of atoms after the messages of a layer.
template <class T>
class ReferenceUpdate {
 public:
  using Layer = ReferenceLayer<T>;

  /// Refers to these atoms in all calls.
  ReferenceUpdate(const ModelView& model, ReferenceAtoms<T>& atoms)
      : model_(model), f_(model.features), atoms_(atoms) {}

  void forward(std::int64_t l, Layer& layer) { model_.is_painn() ? update_painn(l, layer) : update_student(l, layer); }
  void backward(std::int64_t l, const Layer& layer) {
    model_.is_painn() ? update_painn_backward(l, layer) : update_student_backward(l, layer);
  }

 private:
  using Numbers = std::vector<T>;

  static constexpr std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

  /// The input of the update network, [atoms][2f]: scalars, and lengths of vectors.
  Numbers joined(const Numbers& lengths) const {
    Numbers in(at(atoms_.n * 2 * f_));
    for (std::int64_t i = 0; i < atoms_.n; ++i) {
      for (std::int64_t c = 0; c < f_; ++c) {
        in[at(i * 2 * f_ + c)] = atoms_.s[at(i * f_ + c)];
        in[at(i * 2 * f_ + f_ + c)] = lengths[at(i * f_ + c)];
      }
    }
    return in;
  }

  void make_gates(std::int64_t l, Layer& layer, const Numbers& lengths) {
    layer.hidden = apply(model_.update_hidden(l), joined(lengths), atoms_.n);
    layer.gates = apply(model_.update(l), activated(layer.hidden), atoms_.n);
  }

  T gate(const Layer& layer, std::int64_t atom, int which, std::int64_t c) const {
    return layer.gates[at((atom * 3 + which) * f_ + c)];
  }

  static T square(T x) { return x * x; }

  /// Computes |v|^2 of vectors [atoms][3][stride].
  T norm2(const Numbers& v, std::int64_t stride, std::int64_t atom, std::int64_t c) const {
    return square(v[at((atom * 3 + 0) * stride + c)]) + square(v[at((atom * 3 + 1) * stride + c)]) +
           square(v[at((atom * 3 + 2) * stride + c)]);
  }

  void update_student(std::int64_t l, Layer& layer) {
    Numbers lengths(at(atoms_.n * f_));
    for (std::int64_t i = 0; i < atoms_.n * f_; ++i) lengths[at(i)] = std::sqrt(norm2(atoms_.v, f_, i / f_, i % f_));
    make_gates(l, layer, lengths);
    const float* m = model_.axis_mixing(l);
    for (std::int64_t i = 0; i < atoms_.n; ++i) {
      for (std::int64_t c = 0; c < f_; ++c) {
        atoms_.s[at(i * f_ + c)] += gate(layer, i, 0, c);
        for (std::int64_t x = 0; x < 3; ++x) {
          T turned = 0;
          for (std::int64_t y = 0; y < 3; ++y)
            turned += static_cast<T>(m[3 * x + y]) * layer.v_sum[at((i * 3 + y) * f_ + c)];
          atoms_.v[at((i * 3 + x) * f_ + c)] =
              layer.v_sum[at((i * 3 + x) * f_ + c)] * gate(layer, i, 1, c) + turned * gate(layer, i, 2, c);
        }
      }
    }
  }

  void update_painn(std::int64_t l, Layer& layer) {
    layer.mixed = apply(model_.channel_mixing(l), atoms_.v, atoms_.n * 3);
    Numbers lengths(at(atoms_.n * f_));
    for (std::int64_t i = 0; i < atoms_.n * f_; ++i)
      lengths[at(i)] = std::sqrt(norm2(layer.mixed, 2 * f_, i / f_, i % f_) + static_cast<T>(norm_epsilon));
    make_gates(l, layer, lengths);
    for (std::int64_t i = 0; i < atoms_.n; ++i) {
      for (std::int64_t c = 0; c < f_; ++c) {
        T product = 0;
        for (std::int64_t x = 0; x < 3; ++x) {
          const T* mixed = layer.mixed.data() + (i * 3 + x) * 2 * f_;
          product += mixed[c] * mixed[f_ + c];
          atoms_.v[at((i * 3 + x) * f_ + c)] += gate(layer, i, 1, c) * mixed[f_ + c];
        }
        atoms_.s[at(i * f_ + c)] += gate(layer, i, 0, c) + gate(layer, i, 2, c) * product;
      }
    }
  }

  /// Propagates the gradients with respect to the gates: adds to gs, and returns those with respect to the lengths,
  /// [atoms][f].
  Numbers gates_backward(std::int64_t l, const Layer& layer, const Numbers& g_gates) {
    Numbers g_hidden = apply_backward(model_.update(l), g_gates, atoms_.n);
    activate_backward(layer.hidden, g_hidden);
    const Numbers g_in = apply_backward(model_.update_hidden(l), g_hidden, atoms_.n);
    Numbers g_lengths(at(atoms_.n * f_));
    for (std::int64_t i = 0; i < atoms_.n; ++i) {
      for (std::int64_t c = 0; c < f_; ++c) {
        atoms_.gs[at(i * f_ + c)] += g_in[at(i * 2 * f_ + c)];
        g_lengths[at(i * f_ + c)] = g_in[at(i * 2 * f_ + f_ + c)];
      }
    }
    return g_lengths;
  }

  void update_student_backward(std::int64_t l, const Layer& layer) {
    const float* m = model_.axis_mixing(l);
    Numbers g_gates(at(atoms_.n * 3 * f_)), gv(atoms_.gv.size());
    for (std::int64_t i = 0; i < atoms_.n; ++i) {
      for (std::int64_t c = 0; c < f_; ++c) {
        T g_straight = 0, g_turned = 0;
        for (std::int64_t x = 0; x < 3; ++x) {
          const T g = atoms_.gv[at((i * 3 + x) * f_ + c)];
          g_straight += g * layer.v_sum[at((i * 3 + x) * f_ + c)];
          gv[at((i * 3 + x) * f_ + c)] += g * gate(layer, i, 1, c);
          for (std::int64_t y = 0; y < 3; ++y) {
            g_turned += g * static_cast<T>(m[3 * x + y]) * layer.v_sum[at((i * 3 + y) * f_ + c)];
            gv[at((i * 3 + y) * f_ + c)] += g * gate(layer, i, 2, c) * static_cast<T>(m[3 * x + y]);
          }
        }
        g_gates[at((i * 3 + 0) * f_ + c)] = atoms_.gs[at(i * f_ + c)];
        g_gates[at((i * 3 + 1) * f_ + c)] = g_straight;
        g_gates[at((i * 3 + 2) * f_ + c)] = g_turned;
      }
    }
    const Numbers g_lengths = gates_backward(l, layer, g_gates);
    for (std::int64_t i = 0; i < atoms_.n; ++i) {
      for (std::int64_t c = 0; c < f_; ++c) {
        const T length = std::sqrt(norm2(layer.v_sum, f_, i, c));
        for (std::int64_t x = 0; x < 3 && length > 0; ++x)  // the gradient at 0 is 0, as in PyTorch
          gv[at((i * 3 + x) * f_ + c)] += g_lengths[at(i * f_ + c)] * layer.v_sum[at((i * 3 + x) * f_ + c)] / length;
      }
    }
    atoms_.gv = std::move(gv);
  }

  void update_painn_backward(std::int64_t l, const Layer& layer) {
    Numbers g_gates(at(atoms_.n * 3 * f_)), g_mixed(layer.mixed.size());
    for (std::int64_t i = 0; i < atoms_.n; ++i) {
      for (std::int64_t c = 0; c < f_; ++c) {
        const T g = atoms_.gs[at(i * f_ + c)];
        T product = 0, g_vector = 0;
        for (std::int64_t x = 0; x < 3; ++x) {
          const std::int64_t row = (i * 3 + x) * 2 * f_;
          const T left = layer.mixed[at(row + c)], right = layer.mixed[at(row + f_ + c)];
          const T gv = atoms_.gv[at((i * 3 + x) * f_ + c)];
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
    const Numbers g_lengths = gates_backward(l, layer, g_gates);
    for (std::int64_t i = 0; i < atoms_.n; ++i) {
      for (std::int64_t c = 0; c < f_; ++c) {
        const T length = std::sqrt(norm2(layer.mixed, 2 * f_, i, c) + static_cast<T>(norm_epsilon));
        for (std::int64_t x = 0; x < 3; ++x) {
          const std::int64_t row = (i * 3 + x) * 2 * f_;
          g_mixed[at(row + c)] += g_lengths[at(i * f_ + c)] * layer.mixed[at(row + c)] / length;
        }
      }
    }
    const Numbers gv = apply_backward(model_.channel_mixing(l), g_mixed, atoms_.n * 3);
    for (std::size_t i = 0; i < gv.size(); ++i) atoms_.gv[i] += gv[i];
  }

  const ModelView& model_;
  std::int64_t f_;
  ReferenceAtoms<T>& atoms_;
};

}  // namespace rafter::forcefield_ladder
