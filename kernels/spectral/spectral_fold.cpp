// fold(): moves scales, shifts and lengths into the following matrices, and the decoder into the basis.
#include <algorithm>
#include <cmath>

#include "library/core/parts.hpp"
#include "spectral/spectral_model.hpp"

namespace rafter::spectral_ladder {

namespace {

double sum_of_products(const float* a, const float* b, std::int64_t n) {
  double sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

/// Folds a LayerNorm's scale and shift into the following Linear [out][in].
void fold_norm(const std::vector<float>& scale, const std::vector<float>& shift, const std::vector<float>& matrix,
               const std::vector<float>& bias, std::vector<float>& folded, std::vector<float>& folded_bias) {
  const std::size_t n_in = scale.size(), n_out = bias.size();
  folded.resize(n_in * n_out);
  folded_bias.resize(n_out);
  for (std::size_t out = 0; out < n_out; ++out) {
    const float* row = matrix.data() + out * n_in;
    const double shifted = sum_of_products(row, shift.data(), static_cast<std::int64_t>(n_in));
    folded_bias[out] = static_cast<float>(static_cast<double>(bias[out]) + shifted);
    for (std::size_t in = 0; in < n_in; ++in) folded[in * n_out + out] = row[in] * scale[in];
  }
}

/// Returns 1 / the length of each row of the basis.
std::vector<double> inverse_lengths(const SpectralWeights& weights) {
  const std::int64_t n = weights.shape.features();
  std::vector<double> inverse;
  for (std::int64_t l = 0; l < weights.shape.latent; ++l) {
    const float* row = weights.basis.data() + l * n;
    inverse.push_back(1 / std::max(std::sqrt(sum_of_products(row, row, n)), static_cast<double>(length_epsilon)));
  }
  return inverse;
}

/// Computes decoder[l][f][m] = sum over s of basis[l][f][s] matrix[m][s], as vectors along m; four frames share the
/// loads.
void fold_decoder(const SpectralWeights& weights, const std::vector<double>& inverse, std::vector<float>& decoder) {
  const std::int64_t mels = weights.shape.mels, frames = weights.shape.frames, slice = weights.shape.slice;
  const std::int64_t latent = weights.shape.latent;
  std::vector<double> across(static_cast<std::size_t>(slice * mels));  // [slice][mels]
  for (std::int64_t s = 0; s < slice; ++s) {
    for (std::int64_t m = 0; m < mels; ++m)
      across[static_cast<std::size_t>(s * mels + m)] = weights.decoder_weight[static_cast<std::size_t>(m * slice + s)];
  }
  decoder.resize(static_cast<std::size_t>(latent * weights.shape.window()));
  constexpr std::int64_t group = 4;
  const std::int64_t n_rows = latent * frames;
  const int n_threads = core::default_threads();
  core::for_parts(n_threads, (n_rows + group - 1) / group, [&](std::int64_t first_group, std::int64_t last_group) {
    std::vector<double> sums(static_cast<std::size_t>(group * mels));
    for (std::int64_t first = first_group * group; first < last_group * group; first += group) {
      const std::int64_t n = std::min(group, n_rows - first);
      std::fill(sums.begin(), sums.end(), 0);
      for (std::int64_t s = 0; s < slice; ++s) {
        for (std::int64_t row = 0; row < n; ++row) {
          const double factor = weights.basis[static_cast<std::size_t>((first + row) * slice + s)];
          for (std::int64_t m = 0; m < mels; ++m)
            sums[static_cast<std::size_t>(row * mels + m)] += factor * across[static_cast<std::size_t>(s * mels + m)];
        }
      }
      for (std::int64_t i = 0; i < n * mels; ++i) {
        const auto l = static_cast<std::size_t>((first + i / mels) / frames);
        decoder[static_cast<std::size_t>(first * mels + i)] =
            static_cast<float>(sums[static_cast<std::size_t>(i)] * inverse[l]);
      }
    }
  });
}

template <class F>
void for_each_folded(const SpectralShape& shape, const F& f) {
  using W = FoldedWeights;
  using T = FoldedTensors;
  f(&W::encoder, &T::encoder, shape.mels * shape.slice);
  f(&W::encoder_bias, &T::encoder_bias, shape.slice);
  f(&W::basis, &T::basis, shape.features() * shape.latent);
  f(&W::latent, &T::latent, shape.latent * shape.latent);
  f(&W::latent_bias, &T::latent_bias, shape.latent);
  f(&W::decoder, &T::decoder, shape.latent * shape.window());
  f(&W::decoder_bias, &T::decoder_bias, shape.window());
}

constexpr std::int64_t padded(std::int64_t elements) { return (elements + 15) / 16 * 16; }  // to 64 bytes

}  // namespace

FoldedWeights fold(const SpectralWeights& weights) {
  const std::int64_t frames = weights.shape.frames, latent = weights.shape.latent;
  FoldedWeights folded{.shape = weights.shape};
  fold_norm(weights.encoder_norm_weight, weights.encoder_norm_bias, weights.encoder_weight, weights.encoder_bias,
            folded.encoder, folded.encoder_bias);
  fold_norm(weights.latent_norm_weight, weights.latent_norm_bias, weights.latent_weight, weights.latent_bias,
            folded.latent, folded.latent_bias);
  const std::vector<double> inverse = inverse_lengths(weights);
  const std::int64_t n_features = weights.shape.features();
  folded.basis.resize(weights.basis.size());
  core::for_each_index(core::default_threads(), n_features, [&](std::int64_t i) {
    for (std::int64_t l = 0; l < latent; ++l) {
      const double value = weights.basis[static_cast<std::size_t>(l * n_features + i)];
      folded.basis[static_cast<std::size_t>(i * latent + l)] =
          static_cast<float>(value * inverse[static_cast<std::size_t>(l)]);
    }
  });
  fold_decoder(weights, inverse, folded.decoder);
  for (std::int64_t f = 0; f < frames; ++f)
    folded.decoder_bias.insert(folded.decoder_bias.end(), weights.decoder_bias.begin(), weights.decoder_bias.end());
  return folded;
}

std::vector<float> folded_array(const FoldedWeights& folded) {
  std::vector<float> array;
  for_each_folded(folded.shape, [&](auto matrix, auto, std::int64_t size) {
    const std::vector<float>& from = folded.*matrix;
    array.insert(array.end(), from.begin(), from.end());
    array.resize(array.size() + static_cast<std::size_t>(padded(size) - size));
  });
  return array;
}

FoldedTensors folded_tensors_in(const float* array, const SpectralShape& shape) {
  FoldedTensors tensors{};
  for_each_folded(shape, [&](auto, auto tensor, std::int64_t size) {
    tensors.*tensor = array;
    array += padded(size);
  });
  return tensors;
}

}  // namespace rafter::spectral_ladder
