// The layout of a model's tensors.
#include "forcefield/model/forcefield_tensors.hpp"

#include <algorithm>

#include "library/core/arithmetic.hpp"

namespace rafter::forcefield_ladder {

namespace {

/// Assigns consecutive offsets.
class Places {
 public:
  std::int64_t take(std::int64_t n) {
    const std::int64_t place = next_;
    next_ += ceil_div(n, alignment) * alignment;
    return place;
  }
  std::int64_t next() const { return next_; }

 private:
  static constexpr std::int64_t alignment = 16;  // floats
  std::int64_t next_ = 0;
};

LayerLayout layer_layout(const ForceFieldShape& shape, Places& places) {
  const std::int64_t f = shape.features;
  const bool is_painn = shape.model == ForceFieldModel::painn;
  const std::int64_t student = is_painn ? 0 : 1, painn = is_painn ? 1 : 0;
  LayerLayout at{};
  at.filter_hidden_weight = places.take(student * f * shape.radial);
  at.filter_hidden_bias = places.take(student * f);
  at.filter_weight = places.take(3 * f * (is_painn ? shape.radial : f));
  at.filter_bias = places.take(3 * f);
  at.context_hidden_weight = places.take(painn * f * f);
  at.context_hidden_bias = places.take(painn * f);
  at.context_weight = places.take(painn * 3 * f * f);
  at.context_bias = places.take(painn * 3 * f);
  at.mixing = places.take(is_painn ? 2 * f * f : 9);
  at.update_hidden_weight = places.take(2 * f * f);
  at.update_hidden_bias = places.take(f);
  at.update_weight = places.take(3 * f * f);
  at.update_bias = places.take(3 * f);
  return at;
}

/// Writes tensors to both arrays.
class ArrayWriter {
 public:
  ArrayWriter(std::vector<float>& arrays, std::int64_t size) : arrays_(arrays), size_(size) {}

  void put(std::int64_t place, const std::vector<float>& values) {
    std::copy(values.begin(), values.end(), arrays_.begin() + place);
    std::copy(values.begin(), values.end(), arrays_.begin() + size_ + place);
  }

  /// Writes a matrix with this number of columns.
  void put_matrix(std::int64_t place, const std::vector<float>& values, std::int64_t n_columns) {
    put(place, values);
    const std::int64_t n_rows = std::ssize(values) / n_columns;
    float* transposed = arrays_.data() + size_ + place;
    for (std::int64_t r = 0; r < n_rows; ++r) {
      for (std::int64_t c = 0; c < n_columns; ++c)
        transposed[c * n_rows + r] = values[static_cast<std::size_t>(r * n_columns + c)];
    }
  }

 private:
  std::vector<float>& arrays_;
  std::int64_t size_;
};

void put_layer(ArrayWriter& writer, const ForceFieldShape& shape, const TensorLayout& at, std::int64_t index,
               const ForceFieldLayer& layer) {
  const std::int64_t f = shape.features, begin = index * at.layer_stride;
  const bool is_painn = shape.model == ForceFieldModel::painn;
  writer.put_matrix(begin + at.layer.filter_hidden_weight, layer.filter_hidden_weight, shape.radial);
  writer.put(begin + at.layer.filter_hidden_bias, layer.filter_hidden_bias);
  writer.put_matrix(begin + at.layer.filter_weight, layer.filter_weight, is_painn ? shape.radial : f);
  writer.put(begin + at.layer.filter_bias, layer.filter_bias);
  writer.put_matrix(begin + at.layer.context_hidden_weight, layer.context_hidden_weight, f);
  writer.put(begin + at.layer.context_hidden_bias, layer.context_hidden_bias);
  writer.put_matrix(begin + at.layer.context_weight, layer.context_weight, f);
  writer.put(begin + at.layer.context_bias, layer.context_bias);
  writer.put_matrix(begin + at.layer.mixing, layer.mixing, is_painn ? f : 3);
  writer.put_matrix(begin + at.layer.update_hidden_weight, layer.update_hidden_weight, 2 * f);
  writer.put(begin + at.layer.update_hidden_bias, layer.update_hidden_bias);
  writer.put_matrix(begin + at.layer.update_weight, layer.update_weight, f);
  writer.put(begin + at.layer.update_bias, layer.update_bias);
}

}  // namespace

TensorLayout layout_of(const ForceFieldShape& shape) {
  TensorLayout at{};
  Places places;
  at.embedding = places.take(shape.elements * shape.features);
  at.radial_centre = places.take(shape.radial);
  at.radial_width = places.take(shape.radial);
  const std::int64_t first_layer = places.next();
  at.layer = layer_layout(shape, places);
  at.layer_stride = places.next() - first_layer;
  places.take((shape.layers - 1) * at.layer_stride);
  std::int64_t n_in = shape.features;
  for (std::size_t i = 0; i <= shape.readout.size(); ++i) {
    const std::int64_t n_out = i < shape.readout.size() ? shape.readout[i] : 1;
    at.readout_weight[i] = places.take(n_out * n_in);
    at.readout_bias[i] = places.take(n_out);
    n_in = n_out;
  }
  at.size = places.next();
  return at;
}

std::vector<float> tensor_arrays(const ForceFieldWeights& weights) {
  const ForceFieldShape& shape = weights.shape;
  const TensorLayout at = layout_of(shape);
  std::vector<float> arrays(static_cast<std::size_t>(2 * at.size));
  ArrayWriter writer(arrays, at.size);
  writer.put(at.embedding, weights.embedding);
  writer.put(at.radial_centre, weights.radial_centre);
  writer.put(at.radial_width, weights.radial_width);
  for (std::int64_t l = 0; l < shape.layers; ++l)
    put_layer(writer, shape, at, l, weights.layers[static_cast<std::size_t>(l)]);
  std::int64_t n_in = shape.features;
  for (std::size_t i = 0; i < weights.readout_weight.size(); ++i) {
    writer.put_matrix(at.readout_weight[i], weights.readout_weight[i], n_in);
    writer.put(at.readout_bias[i], weights.readout_bias[i]);
    n_in = std::ssize(weights.readout_bias[i]);
  }
  return arrays;
}

ModelView view_of(const ForceFieldShape& shape, const float* arrays) {
  ModelView view{};
  view.model = shape.model;
  view.basis = shape.basis;
  view.features = shape.features;
  view.layers = shape.layers;
  view.radial = shape.radial;
  view.elements = shape.elements;
  view.n_readouts = std::ssize(shape.readout) + 1;
  std::copy(shape.readout.begin(), shape.readout.end(), view.readout);
  view.readout[view.n_readouts - 1] = 1;
  view.cutoff = shape.cutoff;
  view.at = layout_of(shape);
  view.tensors = arrays;
  view.transposed = arrays + view.at.size;
  return view;
}

}  // namespace rafter::forcefield_ladder
