// The signature of spectral's rungs: their arguments.
#pragma once

#include <cstdint>

#include "library/core/rung.hpp"
#include "library/core/stages.hpp"
#include "rafter/spectral.hpp"

namespace rafter::spectral_ladder {

/// A model's tensors in PyTorch's layout, concatenated in one array; the names are those of SpectralWeights.
struct SpectralTensors {
  const float* encoder_norm_weight;
  const float* encoder_norm_bias;
  const float* encoder_weight;
  const float* encoder_bias;
  const float* basis;
  const float* latent_norm_weight;
  const float* latent_norm_bias;
  const float* latent_weight;
  const float* latent_bias;
  const float* decoder_weight;
  const float* decoder_bias;
};

/// Calls f(member of SpectralWeights, member of SpectralTensors, elements) for each tensor, in the array's order.
template <class F>
constexpr void for_each_tensor(const SpectralShape& shape, const F& f) {
  using W = SpectralWeights;
  using T = SpectralTensors;
  f(&W::encoder_norm_weight, &T::encoder_norm_weight, shape.mels);
  f(&W::encoder_norm_bias, &T::encoder_norm_bias, shape.mels);
  f(&W::encoder_weight, &T::encoder_weight, shape.slice * shape.mels);
  f(&W::encoder_bias, &T::encoder_bias, shape.slice);
  f(&W::basis, &T::basis, shape.latent * shape.features());
  f(&W::latent_norm_weight, &T::latent_norm_weight, shape.latent);
  f(&W::latent_norm_bias, &T::latent_norm_bias, shape.latent);
  f(&W::latent_weight, &T::latent_weight, shape.latent * shape.latent);
  f(&W::latent_bias, &T::latent_bias, shape.latent);
  f(&W::decoder_weight, &T::decoder_weight, shape.mels * shape.slice);
  f(&W::decoder_bias, &T::decoder_bias, shape.mels);
}

/// Returns the number of elements of all tensors together.
constexpr std::int64_t n_weights(const SpectralShape& shape) {
  std::int64_t n = 0;
  for_each_tensor(shape, [&](auto, auto, std::int64_t size) { n += size; });
  return n;
}

/// Returns pointers to the tensors in their array.
constexpr SpectralTensors tensors_in(const float* array, const SpectralShape& shape) {
  SpectralTensors tensors{};
  for_each_tensor(shape, [&](auto, auto tensor, std::int64_t size) {
    tensors.*tensor = array;
    array += size;
  });
  return tensors;
}

class SpectralModel;  // spectral_model.hpp

struct SpectralArgs {
  const float* x;  // [batch][frames][mels]
  std::int64_t batch;
  SpectralTensors tensors;     // on the device
  const SpectralModel* model;  // the same model, packed for the device
  float* y;                    // [batch][frames][mels], or null
  float* scores;               // [batch], or null
  core::Stages stages{};
};

using SpectralRung = core::Rung<SpectralArgs>;

/// The constants of LayerNorm and GELU.
inline constexpr float norm_epsilon = 1e-5F;
inline constexpr float length_epsilon = 1e-12F;  // lower bound of a basis vector's length
inline constexpr float sqrt_half = 0.70710678118654752F;

}  // namespace rafter::spectral_ladder
