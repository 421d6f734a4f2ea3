// Packs a model for the CPU's loops.
#include "forcefield/cpu/forcefield_packed.hpp"

#include <algorithm>

#include "library/core/parts.hpp"

namespace rafter::forcefield_ladder::cpu {

namespace {

/// The position of number i in rows of n numbers, each padded to whole panels.
struct Parts {
  std::int64_t n, part;

  std::int64_t pitch() const { return round_up_to_panels(part); }
  std::int64_t floats() const { return n / part * pitch(); }
  std::int64_t place(std::int64_t i) const { return i / part * pitch() + i % part; }
};

Buffer<float> zeros(const Stream& stream, std::int64_t n) {
  Buffer<float> buffer(stream, n);
  std::fill_n(buffer.data(), n, 0.F);
  return buffer;
}

/// Packs the matrix for each pass, and the biases; the backward pass has none.
PackedProduct packed(const Stream& stream, const Linear& linear, const Parts& in, const Parts& out) {
  const std::int64_t n_in = in.floats(), n_out = out.floats(), size = n_in * n_out;
  PackedProduct product{zeros(stream, 2 * size + n_out + n_in), {}, {}};
  float* const forward = product.array.data();
  float* const backward = forward + size;
  float* const bias = backward + size;
  for (std::int64_t o = 0; o < out.n; ++o) {
    for (std::int64_t i = 0; i < in.n; ++i) {
      const float weight = linear.weight[o * linear.n_in + i];
      forward[core::panel_index(n_in, in.place(i), out.place(o))] = weight;
      backward[core::panel_index(n_out, out.place(o), in.place(i))] = weight;
    }
    if (linear.bias != nullptr) bias[out.place(o)] = linear.bias[o];
  }
  product.forward = {forward, bias, n_in, n_out};
  product.backward = {backward, bias + n_out, n_out, n_in};
  return product;
}

PackedLayer packed_layer(const Stream& stream, const ModelView& model, std::int64_t l) {
  const std::int64_t f = model.features;
  const auto product = [&](const Linear& linear, std::int64_t n_out) {
    return packed(stream, linear, {linear.n_in, f}, {n_out, f});
  };
  const bool has_vectors = model.is_painn() || l + 1 < model.layers;
  PackedLayer layer{.context = {}, .mixing = {}, .update = {}, .axis_mixing = nullptr};
  if (model.is_painn()) {
    layer.context.push_back(product(model.context_hidden(l), f));
    layer.context.push_back(product(model.context(l), 3 * f));
    layer.mixing.push_back(product(model.channel_mixing(l), 2 * f));
  } else if (has_vectors) {
    layer.axis_mixing = model.axis_mixing(l);
  }
  layer.update.push_back(product(model.update_hidden(l), f));
  layer.update.push_back(product(model.update(l), has_vectors ? 3 * f : f));
  return layer;
}

}  // namespace

PackedForceField::PackedForceField(const Stream& stream, const ModelView& model, const FilterTable& table)
    : model_(model),
      channels_(round_up_to_panels(model.features)),
      n_intervals_(table.n_intervals),
      last_readout_(zeros(stream, round_up_to_panels(model.readout_layer(model.n_readouts - 1).n_in))),
      embedding_(zeros(stream, model.elements * channels_)),
      table_(zeros(stream, model.layers * layer_floats())) {
  for (std::int64_t l = 0; l < model.layers; ++l) layers_.push_back(packed_layer(stream, model, l));
  for (std::int64_t r = 0; r + 1 < model.n_readouts; ++r) {
    const Linear linear = model.readout_layer(r);
    readout_.push_back(packed(stream, linear, {linear.n_in, linear.n_in}, {linear.n_out, linear.n_out}));
  }
  const Linear last = model.readout_layer(model.n_readouts - 1);
  std::copy_n(last.weight, last.n_in, last_readout_.data());
  for (std::int64_t z = 0; z < model.elements; ++z)
    std::copy_n(model.tensors + model.at.embedding + z * model.features, model.features,
                embedding_.data() + z * channels_);
  put_table(table);
}

void PackedForceField::put_table(const FilterTable& table) {
  const std::int64_t f = model_.features;
  const int order[n_filters] = {scalar_filter, model_.edge_filter(), model_.vector_filter()};
  core::for_each_index(core::default_threads(), model_.layers * n_intervals_, [&](std::int64_t row) {
    const std::int64_t l = row / n_intervals_, interval = row % n_intervals_;
    const float* from = table.coefficients.data() + (interval * model_.layers + l) * n_filters * n_powers * f;
    float* to = table_.data() + l * layer_floats() + interval * block_floats;
    for (std::int64_t i = 0; i < n_filters * n_powers; ++i) {  // filters, and powers within each
      for (std::int64_t c = 0; c < f; ++c)
        to[c / block_channels * n_intervals_ * block_floats + i * block_channels + c % block_channels] =
            from[(order[i / n_powers] * n_powers + i % n_powers) * f + c];
    }
  });
}

}  // namespace rafter::forcefield_ladder::cpu
