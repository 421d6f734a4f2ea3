// The tensors of a force field: their names in files, their shapes, and their vectors in ForceFieldWeights. One list
// for files, checks and random weights; inline, because both libraries use it.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "base/messages.hpp"
#include "library/core/arguments.hpp"
#include "rafter/forcefield.hpp"

namespace rafter::forcefield_ladder {

/// An axis of a tensor, with its name in messages.
struct WeightAxis {
  std::int64_t extent;
  const char* name;
};

enum class WeightKind { embedding, radial, linear, bias, axes_mixing };

/// A tensor of a model's file. `Values` is std::vector<float>, const or not.
template <class Values>
struct WeightTensor {
  std::string name;
  WeightKind kind;
  std::vector<WeightAxis> axes;
  std::vector<Values*> parts;  // the vectors with its values, the same number of rows in each
  bool is_optional = false;

  std::vector<std::int64_t> extents() const {
    std::vector<std::int64_t> all;
    for (const WeightAxis& axis : axes) all.push_back(axis.extent);
    return all;
  }
  std::int64_t n_values() const {
    std::int64_t n = 1;
    for (const WeightAxis& axis : axes) n *= axis.extent;
    return n;
  }
  /// Returns the shape as text, such as "(features, radial)".
  std::string axes_text() const {
    std::string text;
    for (const WeightAxis& axis : axes) text += (text.empty() ? "" : ", ") + std::string(axis.name);
    return "(" + text + ")";
  }
};

/// The number of hidden layers of a model's readout.
constexpr std::size_t n_readout_hidden(ForceFieldModel model) { return model == ForceFieldModel::student ? 2 : 1; }

/// Builds the list of a model's tensors in the order of its PyTorch module. painn's cutoff is not in it: it is part of
/// the shape.
template <class Weights>
class WeightLister {
 public:
  using Values = std::conditional_t<std::is_const_v<Weights>, const std::vector<float>, std::vector<float>>;

  explicit WeightLister(Weights& weights) : weights_(weights), shape_(weights.shape) {}

  std::vector<WeightTensor<Values>> list() {
    shape_.model == ForceFieldModel::student ? add_student() : add_painn();
    return std::move(list_);
  }

 private:
  void add_student() {
    add("embedding.weight", WeightKind::embedding, {elements_, features_}, {&weights_.embedding});
    add("rbf.centers", WeightKind::radial, {radial_}, {&weights_.radial_centre});
    add("rbf.widths", WeightKind::radial, {radial_}, {&weights_.radial_width});
    for (std::size_t i = 0; i < weights_.layers.size(); ++i) {
      auto& layer = weights_.layers[i];
      const std::string prefix = "interactions." + std::to_string(i) + ".";
      add_linear(prefix + "message.rbf_to_scalar.0", features_, radial_, layer.filter_hidden_weight,
                 layer.filter_hidden_bias);
      add_linear(prefix + "message.rbf_to_scalar.2", features_3_, features_, layer.filter_weight, layer.filter_bias);
      add(prefix + "update.mixing_matrix", WeightKind::axes_mixing, {{3, "3"}, {3, "3"}}, {&layer.mixing});
      list_.back().is_optional = i + 1 == weights_.layers.size();  // the last layer does not use it
      add_update(prefix + "update.update_mlp.", 2, layer);
    }
    add_readout("energy_head.", 2);
  }

  void add_painn() {
    const std::string all = "representation.";
    add(all + "embedding.weight", WeightKind::embedding, {elements_, features_}, {&weights_.embedding});
    const bool is_bessel = shape_.basis == RadialBasis::bessel;
    add(all + (is_bessel ? "radial_basis.freqs" : "radial_basis.offsets"), WeightKind::radial, {radial_},
        {&weights_.radial_centre});
    if (!is_bessel) add(all + "radial_basis.widths", WeightKind::radial, {radial_}, {&weights_.radial_width});
    std::vector<Values*> filter_weights, filter_biases;
    for (auto& layer : weights_.layers) {
      filter_weights.push_back(&layer.filter_weight);
      filter_biases.push_back(&layer.filter_bias);
    }
    const WeightAxis filters{shape_.layers * features_3_.extent, "layers * 3 * features"};
    add(all + "filter_net.weight", WeightKind::linear, {filters, radial_}, filter_weights);
    add(all + "filter_net.bias", WeightKind::bias, {filters}, filter_biases);
    for (std::size_t i = 0; i < weights_.layers.size(); ++i) {
      auto& layer = weights_.layers[i];
      const std::string prefix = all + "interactions." + std::to_string(i) + ".interatomic_context_net.";
      add_linear(prefix + "0", features_, features_, layer.context_hidden_weight, layer.context_hidden_bias);
      add_linear(prefix + "1", features_3_, features_, layer.context_weight, layer.context_bias);
    }
    for (std::size_t i = 0; i < weights_.layers.size(); ++i) {
      auto& layer = weights_.layers[i];
      const std::string prefix = all + "mixing." + std::to_string(i) + ".";
      add_update(prefix + "intraatomic_context_net.", 1, layer);
      add(prefix + "mu_channel_mix.weight", WeightKind::linear, {features_2_, features_}, {&layer.mixing});
    }
    add_readout("output_modules.0.outnet.", 1);
  }

  /// Adds a module's linear layers, which are its entries 0, step, 2 step, ...
  template <class Layer>
  void add_update(const std::string& module, std::size_t step, Layer& layer) {
    add_linear(module + "0", features_, features_2_, layer.update_hidden_weight, layer.update_hidden_bias);
    add_linear(module + std::to_string(step), features_3_, features_, layer.update_weight, layer.update_bias);
  }

  void add_readout(const std::string& module, std::size_t step) {
    static constexpr const char* hidden_names[]{"readout[0]", "readout[1]"};
    WeightAxis in = features_;
    for (std::size_t i = 0; i < weights_.readout_weight.size(); ++i) {
      const bool is_last = i == shape_.readout.size();
      const WeightAxis out = is_last ? WeightAxis{1, "1"} : WeightAxis{shape_.readout[i], hidden_names[i]};
      add_linear(module + std::to_string(i * step), out, in, weights_.readout_weight[i], weights_.readout_bias[i]);
      in = out;
    }
  }

  void add_linear(const std::string& name, const WeightAxis& out, const WeightAxis& in, Values& weight, Values& bias) {
    add(name + ".weight", WeightKind::linear, {out, in}, {&weight});
    add(name + ".bias", WeightKind::bias, {out}, {&bias});
  }

  void add(const std::string& name, WeightKind kind, std::vector<WeightAxis> axes, std::vector<Values*> parts) {
    list_.push_back({name, kind, std::move(axes), std::move(parts)});
  }

  std::vector<WeightTensor<Values>> list_;
  Weights& weights_;
  const ForceFieldShape& shape_;
  const WeightAxis elements_{shape_.elements, "elements"}, radial_{shape_.radial, "radial"},
      features_{shape_.features, "features"}, features_2_{2 * shape_.features, "2 * features"},
      features_3_{3 * shape_.features, "3 * features"};
};

/// Returns the tensors of a model. `weights` must have as many layers, and readout layers, as its shape says; the
/// contents of its vectors do not matter.
template <class Weights>
auto weight_tensors(Weights& weights) {
  return WeightLister<Weights>(weights).list();
}

/// Whether a width of Gaussians is valid: its square must be a finite divisor.
inline bool is_width(float width) { return width > 0 && std::isnormal(width * width); }

inline constexpr std::int64_t most_layers = 1 << 10;

inline void require_forcefield_shape(const char* op, const ForceFieldShape& shape) {
  const auto refuse = [&](const std::string& complaint) { core::refuse(op, "shape", complaint); };
  const auto require_extent = [&](const std::string& name, std::int64_t value, std::int64_t most) {
    if (value >= 1 && value <= most) return;
    refuse("must have " + name + " from 1 to " + std::to_string(most) + ", has " + std::to_string(value));
  };
  require_extent("features", shape.features, 1 << 16);
  require_extent("layers", shape.layers, most_layers);
  require_extent("radial", shape.radial, 1 << 16);
  require_extent("elements", shape.elements, 1 << 16);
  if (shape.readout.size() != n_readout_hidden(shape.model)) {
    refuse("must have a readout of " + std::to_string(n_readout_hidden(shape.model)) + " hidden layers, has " +
           std::to_string(shape.readout.size()));
  }
  for (const std::int64_t width : shape.readout) require_extent("widths in readout", width, 1 << 16);
  if (shape.model == ForceFieldModel::student && shape.basis != RadialBasis::gaussian)
    refuse("of a student must have a Gaussian basis");
  const auto cutoff = static_cast<float>(shape.cutoff);
  if (!(cutoff > 0 && std::isfinite(cutoff)))
    refuse("must have a finite cutoff greater than 0, has " + std::to_string(shape.cutoff));
}

/// Returns the number of values of all tensors.
inline std::int64_t n_values(const ForceFieldWeights& weights) {
  std::size_t n = weights.embedding.size() + weights.radial_centre.size() + weights.radial_width.size();
  for (const ForceFieldLayer& l : weights.layers) {
    for (const auto* values :
         {&l.filter_hidden_weight, &l.filter_hidden_bias, &l.filter_weight, &l.filter_bias, &l.context_hidden_weight,
          &l.context_hidden_bias, &l.context_weight, &l.context_bias, &l.mixing, &l.update_hidden_weight,
          &l.update_hidden_bias, &l.update_weight, &l.update_bias})
      n += values->size();
  }
  for (const auto& values : weights.readout_weight) n += values.size();
  for (const auto& values : weights.readout_bias) n += values.size();
  return static_cast<std::int64_t>(n);
}

/// Throws Error (bad_argument) unless the vectors match the shape and the radial functions are valid.
inline void require_forcefield_weights(const char* op, const ForceFieldWeights& weights) {
  const ForceFieldShape& shape = weights.shape;
  require_forcefield_shape(op, shape);
  const auto require_count = [&](const char* name, std::size_t found, std::size_t expected) {
    if (found == expected) return;
    core::refuse(op, name, "should have " + std::to_string(expected) + " entries, has " + std::to_string(found));
  };
  require_count("layers", weights.layers.size(), static_cast<std::size_t>(shape.layers));
  require_count("readout_weight", weights.readout_weight.size(), shape.readout.size() + 1);
  require_count("readout_bias", weights.readout_bias.size(), shape.readout.size() + 1);
  std::int64_t n_placed = 0;
  for (const auto& tensor : weight_tensors(weights)) {
    const std::int64_t expected = tensor.n_values() / std::ssize(tensor.parts);
    for (const std::vector<float>* part : tensor.parts) {
      n_placed += std::ssize(*part);
      if (std::ssize(*part) == expected || (tensor.is_optional && part->empty())) continue;
      core::refuse(op, tensor.name.c_str(),
                   "should have " + base::show_shape(tensor.extents()) + " values, " + tensor.axes_text() + ", has " +
                       std::to_string(part->size()) + (tensor.parts.size() == 1 ? "" : " in a layer"));
    }
  }
  if (const std::int64_t n_others = n_values(weights) - n_placed; n_others != 0) {
    core::refuse(op, "weights",
                 "have " + std::to_string(n_others) + " values that " +
                     (shape.model == ForceFieldModel::student ? "a student" : "painn") + " does not use");
  }
  const auto bad = std::find_if_not(weights.radial_width.begin(), weights.radial_width.end(), is_width);
  if (bad != weights.radial_width.end())
    core::refuse(op, "radial_width", "must have widths greater than 0, has " + std::to_string(*bad));
}

}  // namespace rafter::forcefield_ladder
