// A model's tensors in one contiguous array, and their offsets. Layers are a constant distance apart.
//
// There are two arrays with the same layout: in the first, matrices are [out][in] as in files, in the second [in][out].
// Loops over outputs read the second; a backward pass, whose outputs are the inputs, reads the first.
#pragma once

#include <cstdint>
#include <vector>

#include "rafter/forcefield.hpp"

namespace rafter::forcefield_ladder {

/// The number of filters of a layer: one for a neighbour's scalars, one for vectors along the edge, one for the
/// neighbour's vectors.
inline constexpr int n_filters = 3;
inline constexpr int scalar_filter = 0;
inline constexpr int most_readouts = 3;  // layers of the readout; the output of the last one is an energy

/// The offsets of the tensors of layer 0.
struct LayerLayout {
  std::int64_t filter_hidden_weight, filter_hidden_bias;
  std::int64_t filter_weight, filter_bias;
  std::int64_t context_hidden_weight, context_hidden_bias;
  std::int64_t context_weight, context_bias;
  std::int64_t mixing;
  std::int64_t update_hidden_weight, update_hidden_bias;
  std::int64_t update_weight, update_bias;
};

struct TensorLayout {
  std::int64_t embedding, radial_centre, radial_width;
  LayerLayout layer;
  std::int64_t layer_stride;
  std::int64_t readout_weight[most_readouts], readout_bias[most_readouts];
  std::int64_t size;
};

/// The matrix and the bias of a linear layer.
struct Linear {
  const float* weight;      // [out][in]
  const float* transposed;  // [in][out]
  const float* bias;        // or null
  std::int64_t n_in, n_out;
};

/// A model as loops on any device access it; its pointers are to that device's memory.
struct ModelView {
  ForceFieldModel model;
  RadialBasis basis;
  std::int64_t features, layers, radial, elements;
  std::int64_t n_readouts;
  std::int64_t readout[most_readouts];  // outputs of each layer; the last one's is 1
  double cutoff;
  TensorLayout at;
  const float* tensors;     // matrices are [out][in]
  const float* transposed;  // matrices are [in][out]

  // Filters as cubics of the position in an interval; null: there is no table.
  const float* table;  // [interval][layer][filter][power][features]
  std::int64_t n_intervals;

  constexpr bool is_painn() const { return model == ForceFieldModel::painn; }
  /// The index of the filter of vectors along the edge, and of that of the neighbour's vectors.
  constexpr int edge_filter() const { return is_painn() ? 1 : 2; }
  constexpr int vector_filter() const { return is_painn() ? 2 : 1; }

  constexpr const float* layer_tensor(std::int64_t layer, std::int64_t LayerLayout::*tensor) const {
    return tensors + at.layer.*tensor + layer * at.layer_stride;
  }
  constexpr Linear linear(std::int64_t weight, std::int64_t bias, std::int64_t n_in, std::int64_t n_out) const {
    return {tensors + weight, transposed + weight, bias < 0 ? nullptr : tensors + bias, n_in, n_out};
  }
  constexpr Linear of_layer(std::int64_t layer, std::int64_t LayerLayout::*weight, std::int64_t LayerLayout::*bias,
                            std::int64_t n_in, std::int64_t n_out) const {
    const std::int64_t begin = layer * at.layer_stride;
    return linear(begin + at.layer.*weight, begin + at.layer.*bias, n_in, n_out);
  }

  constexpr Linear filter_hidden(std::int64_t l) const {  // student
    return of_layer(l, &LayerLayout::filter_hidden_weight, &LayerLayout::filter_hidden_bias, radial, features);
  }
  constexpr Linear filter(std::int64_t l) const {
    return of_layer(l, &LayerLayout::filter_weight, &LayerLayout::filter_bias, is_painn() ? radial : features,
                    n_filters * features);
  }
  constexpr Linear context_hidden(std::int64_t l) const {  // painn
    return of_layer(l, &LayerLayout::context_hidden_weight, &LayerLayout::context_hidden_bias, features, features);
  }
  constexpr Linear context(std::int64_t l) const {  // painn
    return of_layer(l, &LayerLayout::context_weight, &LayerLayout::context_bias, features, n_filters * features);
  }
  constexpr Linear channel_mixing(std::int64_t l) const {  // painn
    return linear(l * at.layer_stride + at.layer.mixing, -1, features, 2 * features);
  }
  constexpr const float* axis_mixing(std::int64_t l) const {
    return layer_tensor(l, &LayerLayout::mixing);
  }  // student: [3][3]
  constexpr Linear update_hidden(std::int64_t l) const {
    return of_layer(l, &LayerLayout::update_hidden_weight, &LayerLayout::update_hidden_bias, 2 * features, features);
  }
  constexpr Linear update(std::int64_t l) const {
    return of_layer(l, &LayerLayout::update_weight, &LayerLayout::update_bias, features, 3 * features);
  }
  constexpr Linear readout_layer(std::int64_t i) const {
    return linear(at.readout_weight[i], at.readout_bias[i], i == 0 ? features : readout[i - 1], readout[i]);
  }
};

/// Returns the layout of both arrays; each tensor is aligned to 64 bytes.
TensorLayout layout_of(const ForceFieldShape& shape);
/// Returns both arrays: [2][layout.size].
std::vector<float> tensor_arrays(const ForceFieldWeights& weights);
/// Returns the view of arrays in some device's memory, without a table.
ModelView view_of(const ForceFieldShape& shape, const float* arrays);

}  // namespace rafter::forcefield_ladder
