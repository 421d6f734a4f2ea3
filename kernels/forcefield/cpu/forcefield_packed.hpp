// A model as the CPU's loops read it: matrices in panels for both passes, and the table of filters in the order in
// which channels are processed. Built once, with the model.
#pragma once

#include <vector>

#include "forcefield/forcefield_simd.hpp"
#include "forcefield/model/forcefield_table.hpp"
#include "rafter/buffer.hpp"

namespace rafter::forcefield_ladder::cpu {

/// A product, and the one that propagates gradients back through it. Inputs and outputs have parts as long as the rows
/// of a feature, each padded to whole panels.
struct PackedProduct {
  Buffer<float> array;
  Panels forward, backward;
};

struct PackedLayer {
  std::vector<PackedProduct> context;  // painn: F -> F -> 3F
  std::vector<PackedProduct> mixing;   // painn: F -> 2F
  std::vector<PackedProduct> update;   // 2F -> F -> 3F; in the student's last layer -> F, whose vectors are not used
  const float* axis_mixing;            // student: [3][3], except in the last layer
};

class PackedForceField {
 public:
  /// Packs `model`, which is in host memory and must outlive this object.
  PackedForceField(const Stream& stream, const ModelView& model, const FilterTable& table);

  const ModelView& model() const { return model_; }
  bool is_painn() const { return model_.is_painn(); }
  std::int64_t n_layers() const { return model_.layers; }
  std::int64_t channels() const { return channels_; }  ///< features, padded to whole panels
  const PackedLayer& layer(std::int64_t l) const { return layers_[static_cast<std::size_t>(l)]; }
  const std::vector<PackedProduct>& readout() const { return readout_; }  ///< all layers but the last
  const float* last_readout() const { return last_readout_.data(); }      ///< its weights, in whole panels
  std::int64_t n_last() const { return last_readout_.size(); }
  float last_bias() const { return *model_.readout_layer(model_.n_readouts - 1).bias; }
  const float* embedding(std::int32_t element) const { return embedding_.data() + element * channels_; }

  std::int64_t n_intervals() const { return n_intervals_; }
  /// The layer's filters: [channels / block_channels][interval][block_floats].
  const float* table(std::int64_t layer) const { return table_.data() + layer * layer_floats(); }

 private:
  std::int64_t layer_floats() const { return channels_ / block_channels * n_intervals_ * block_floats; }
  void put_table(const FilterTable& table);

  ModelView model_;
  std::int64_t channels_, n_intervals_;
  std::vector<PackedLayer> layers_;
  std::vector<PackedProduct> readout_;
  Buffer<float> last_readout_, embedding_;
  Buffer<float> table_;
};

}  // namespace rafter::forcefield_ladder::cpu
