// Random models that resemble trained ones: scales near 1, products that neither vanish nor grow.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>

#include "spectral/spectral_rung.hpp"

namespace rafter {

inline SpectralWeights random_spectral_weights(const SpectralShape& shape, unsigned seed) {
  SpectralWeights weights{shape};
  std::mt19937 random(seed);
  spectral_ladder::for_each_tensor(shape, [&](auto values, auto, std::int64_t n) {
    const bool is_scale =
        values == &SpectralWeights::encoder_norm_weight || values == &SpectralWeights::latent_norm_weight;
    const float size = 1 / std::sqrt(static_cast<float>(std::max(shape.mels, shape.slice)));
    std::uniform_real_distribution<float> uniform(is_scale ? 0.5f : -size, is_scale ? 1.5f : size);
    (weights.*values).resize(static_cast<std::size_t>(n));
    for (float& value : weights.*values) value = uniform(random);
  });
  return weights;
}

}  // namespace rafter
