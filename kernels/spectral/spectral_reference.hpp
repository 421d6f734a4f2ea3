// The forward pass in any number type, in one thread, operation by operation as in the module.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "spectral/spectral_rung.hpp"

namespace rafter::spectral_ladder {

template <class T>
class SpectralReference {
 public:
  SpectralReference(const SpectralShape& shape, const SpectralTensors& tensors)
      : shape_(shape), w_(tensors), basis_(tensors.basis, tensors.basis + shape.latent * shape.features()) {
    for (std::int64_t l = 0; l < shape.latent; ++l) {
      T* row = basis_.data() + l * shape.features();
      T squares = 0;
      for (std::int64_t i = 0; i < shape.features(); ++i) squares += row[i] * row[i];
      const T length = std::max(std::sqrt(squares), static_cast<T>(length_epsilon));
      for (std::int64_t i = 0; i < shape.features(); ++i) row[i] /= length;
    }
  }

  /// Computes y of one window.
  void run(const float* x, T* y) const {
    const auto [mels, frames, latent, slice] = shape_;
    std::vector<T> spectrum(x, x + mels), slices(static_cast<std::size_t>(shape_.features()));
    std::vector<T> z(static_cast<std::size_t>(latent)), normed(z);
    for (std::int64_t f = 0; f < frames; ++f) {
      spectrum.assign(x + f * mels, x + (f + 1) * mels);
      layer_norm(spectrum, w_.encoder_norm_weight, w_.encoder_norm_bias);
      for (std::int64_t s = 0; s < slice; ++s)
        slices[at(f * slice + s)] =
            gelu(product(w_.encoder_weight + s * mels, spectrum.data(), mels) + static_cast<T>(w_.encoder_bias[s]));
    }
    for (std::int64_t l = 0; l < latent; ++l)
      z[at(l)] = product(basis_.data() + l * shape_.features(), slices.data(), shape_.features());
    layer_norm(z, w_.latent_norm_weight, w_.latent_norm_bias);
    for (std::int64_t l = 0; l < latent; ++l)
      normed[at(l)] =
          gelu(product(w_.latent_weight + l * latent, z.data(), latent) + static_cast<T>(w_.latent_bias[l]));
    std::fill(slices.begin(), slices.end(), T{});
    for (std::int64_t l = 0; l < latent; ++l) {
      for (std::int64_t i = 0; i < shape_.features(); ++i)
        slices[at(i)] += normed[at(l)] * basis_[at(l * shape_.features() + i)];
    }
    for (std::int64_t i = 0; i < shape_.window(); ++i) {
      const std::int64_t f = i / mels, m = i % mels;
      y[i] =
          product(w_.decoder_weight + m * slice, slices.data() + f * slice, slice) + static_cast<T>(w_.decoder_bias[m]);
    }
  }

  /// Returns the mean squared error of a window with a known y.
  T score(const float* x, const T* y) const {
    T sum = 0;
    for (std::int64_t i = 0; i < shape_.window(); ++i)
      sum += (y[i] - static_cast<T>(x[i])) * (y[i] - static_cast<T>(x[i]));
    return sum / static_cast<T>(shape_.window());
  }

 private:
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

  template <class W>
  static T product(const W* row, const T* numbers, std::int64_t n) {
    T sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += static_cast<T>(row[i]) * numbers[i];
    return sum;
  }

  static T gelu(T x) { return x / 2 * (1 + std::erf(x * static_cast<T>(0.70710678118654752440))); }

  static void layer_norm(std::vector<T>& values, const float* scale, const float* shift) {
    const auto n = static_cast<T>(values.size());
    T mean = 0, variance = 0;
    for (const T value : values) mean += value;
    mean /= n;
    for (const T value : values) variance += (value - mean) * (value - mean);
    const T deviation = std::sqrt(variance / n + static_cast<T>(norm_epsilon));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = (values[i] - mean) / deviation * static_cast<T>(scale[i]) + static_cast<T>(shift[i]);
  }

  SpectralShape shape_;
  SpectralTensors w_;
  std::vector<T> basis_;  // rows of length 1
};

}  // namespace rafter::spectral_ladder
