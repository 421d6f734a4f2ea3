// Filters as functions of the distance, with their derivatives: the radial functions, the cutoff and the network after
// them. On the host, in any number type.
//
// The derivative is computed in forward mode: the distance is the only input, so one more product gives the derivatives
// of all outputs, and a backward pass does not evaluate the network.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "forcefield/model/forcefield_tensors.hpp"

namespace rafter::forcefield_ladder {

/// A number and its derivative with respect to the distance.
template <class T>
struct Dual {
  T value;
  T slope;
};

template <class T>
Dual<T> operator*(const Dual<T>& a, const Dual<T>& b) {
  return {a.value * b.value, a.slope * b.value + a.value * b.slope};
}

/// Computes x / (1 + exp(-x)) and its derivative.
template <class T>
Dual<T> silu(T x) {
  const T share = 1 / (1 + std::exp(-x));
  return {x * share, share * (1 + x * (1 - share))};
}

/// Computes (cos(pi d / cutoff) + 1) / 2, zero from the cutoff on.
template <class T>
Dual<T> cutoff_at(T d, T cutoff) {
  if (!(d < cutoff)) return {0, 0};
  const T frequency = std::numbers::pi_v<T> / cutoff;
  return {(std::cos(frequency * d) + 1) / 2, -std::sin(frequency * d) * frequency / 2};
}

template <class T>
class FilterNetwork {
 public:
  explicit FilterNetwork(const ModelView& model)
      : model_(model), radial_(at(model.radial)), hidden_(at(model.features)), cutoff_(static_cast<T>(model.cutoff)) {}

  /// Sets the distance of the following calls.
  void set_distance(T d) {
    const Dual<T> share = cutoff_at(d, cutoff_);
    for (std::int64_t k = 0; k < model_.radial; ++k) {
      const Dual<T> value = radial_at(k, d);
      radial_[at(k)] = model_.is_painn() ? value : value * share;
    }
    share_ = share;
  }

  /// Computes the filters of a layer: values and slopes, [filter][features] each.
  void evaluate(std::int64_t layer, T* values, T* slopes) {
    const Linear filter = model_.filter(layer);
    const std::vector<Dual<T>>& in = model_.is_painn() ? radial_ : hidden(layer);
    for (std::int64_t i = 0; i < filter.n_out; ++i) {
      values[i] = static_cast<T>(filter.bias[i]);
      slopes[i] = 0;
    }
    for (std::int64_t k = 0; k < filter.n_in; ++k) {
      const float* weights = filter.transposed + k * filter.n_out;
      const auto [value, slope] = in[at(k)];
      for (std::int64_t i = 0; i < filter.n_out; ++i) {
        values[i] += static_cast<T>(weights[i]) * value;
        slopes[i] += static_cast<T>(weights[i]) * slope;
      }
    }
    if (!model_.is_painn()) return;
    for (std::int64_t i = 0; i < filter.n_out; ++i) {
      const Dual<T> product = Dual<T>{values[i], slopes[i]} * share_;
      values[i] = product.value;
      slopes[i] = product.slope;
    }
  }

 private:
  static constexpr std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

  Dual<T> radial_at(std::int64_t k, T d) const {
    const T centre = static_cast<T>(model_.tensors[model_.at.radial_centre + k]);
    if (model_.basis == RadialBasis::bessel) {
      const T sine = std::sin(centre * d), value = d == 0 ? centre : sine / d;
      return {value, d == 0 ? 0 : (centre * std::cos(centre * d) - value) / d};
    }
    const T width = static_cast<T>(model_.tensors[model_.at.radial_width + k]);
    const T sharpness = (model_.is_painn() ? static_cast<T>(0.5) : static_cast<T>(1)) / (width * width);
    const T value = std::exp(-sharpness * (d - centre) * (d - centre));
    return {value, -2 * sharpness * (d - centre) * value};
  }

  const std::vector<Dual<T>>& hidden(std::int64_t layer) {
    const Linear linear = model_.filter_hidden(layer);
    for (std::int64_t i = 0; i < linear.n_out; ++i) {
      Dual<T> sum{static_cast<T>(linear.bias[i]), 0};
      for (std::int64_t k = 0; k < linear.n_in; ++k) {
        const T weight = static_cast<T>(linear.weight[i * linear.n_in + k]);
        sum.value += weight * radial_[at(k)].value;
        sum.slope += weight * radial_[at(k)].slope;
      }
      const Dual<T> active = silu(sum.value);
      hidden_[at(i)] = {active.value, active.slope * sum.slope};
    }
    return hidden_;
  }

  ModelView model_;  // in host memory
  std::vector<Dual<T>> radial_, hidden_;
  T cutoff_;
  Dual<T> share_{};
};

}  // namespace rafter::forcefield_ladder
