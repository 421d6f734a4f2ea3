// SpectralShapeAutoencoder: an autoencoder of short windows of mel spectra, whose reconstruction error tells anomalies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rafter/stream.hpp"

namespace rafter {

/// The extents of a model. A window is `frames` spectra of `mels` values; each spectrum becomes a slice of `slice`
/// values, and all slices of a window together `latent` values.
struct SpectralShape {
  std::int64_t mels = 64;
  std::int64_t frames = 5;
  std::int64_t latent = 32;
  std::int64_t slice = 64;

  constexpr std::int64_t window() const { return frames * mels; }     ///< values of a window
  constexpr std::int64_t features() const { return frames * slice; }  ///< values of its slices
  bool operator==(const SpectralShape&) const = default;
};

/// The numbers of a trained model. Matrices are [out][in], as torch.nn.Linear has them.
struct SpectralWeights {
  SpectralShape shape;
  std::vector<float> encoder_norm_weight{};  ///< slice_encoder.0.weight    [mels]
  std::vector<float> encoder_norm_bias{};    ///< slice_encoder.0.bias      [mels]
  std::vector<float> encoder_weight{};       ///< slice_encoder.1.weight    [slice][mels]
  std::vector<float> encoder_bias{};         ///< slice_encoder.1.bias      [slice]
  std::vector<float> basis{};                ///< global_basis              [latent][frames][slice]
  std::vector<float> latent_norm_weight{};   ///< bottleneck_mlp.0.weight   [latent]
  std::vector<float> latent_norm_bias{};     ///< bottleneck_mlp.0.bias     [latent]
  std::vector<float> latent_weight{};        ///< bottleneck_mlp.1.weight   [latent][latent]
  std::vector<float> latent_bias{};          ///< bottleneck_mlp.1.bias     [latent]
  std::vector<float> decoder_weight{};       ///< slice_decoder.0.weight    [mels][slice]
  std::vector<float> decoder_bias{};         ///< slice_decoder.0.bias      [mels]

  bool operator==(const SpectralWeights&) const = default;
};

/// Reads a safetensors file with the PyTorch module's names, given above; extents come from the tensors' shapes. Other
/// tensors are refused, but for `global_decoder.weight`, which the module has and does not use. Tensors are F32, F16,
/// BF16 or F64, in any order, and finite; `global_basis` is (latent, frames * slice) or (latent, frames, slice). Throws
/// Error (io) for what cannot be read, and (bad_argument) for what is no such model, with the reason.
SpectralWeights read_spectral_weights(const std::string& path);

/// The same from memory; `name` is what messages call it.
SpectralWeights parse_spectral_weights(std::span<const std::byte> file, const std::string& name);

/// Writes such a file, which is whole or not there. Throws Error (bad_argument) for vectors that do not fit the shape,
/// (io).
void write_spectral_weights(const std::string& path, const SpectralWeights& weights);

/// How products are calculated; sums, norms and GELU are float32 in any case.
enum class SpectralPrecision { fp32, tf32, bf16 };
inline constexpr SpectralPrecision spectral_precisions[] = {SpectralPrecision::fp32, SpectralPrecision::tf32,
                                                            SpectralPrecision::bf16};
const char* name(SpectralPrecision precision) noexcept;

struct SpectralOptions {
  SpectralPrecision precision = SpectralPrecision::fp32;  ///< on the CPU there is fp32 alone
};

/// A model on a device, made once and used by any number of streams and threads:
///
///   slices   LayerNorm over a spectrum's mels, Linear mels -> slice, GELU       the same for every frame
///   z        the window's slices . basis^T, whose rows have length 1            frames * slice -> latent
///   latent   LayerNorm, Linear latent -> latent, GELU
///   y        z . basis, then Linear slice -> mels for every frame
///
/// GELU is x/2 (1 + erf(x / sqrt 2)); LayerNorm has an epsilon of 1e-5. Functions enqueue on the stream and wait for
/// nothing; arrays are the caller's, on the stream's device. What a window becomes depends neither on its place in the
/// batch nor on the windows beside it. May be captured in a CUDA graph, once the same has run before. Throw Error
/// (bad_argument) when sizes do not fit, a pointer is null or misaligned, or the stream is of another device.
class SpectralAutoencoder {
 public:
  /// Packs the weights for the stream's device and waits for it. Throws Error (bad_argument) for vectors that do not
  /// fit the shape, (unsupported) for a precision that the device does not have, (out_of_memory).
  SpectralAutoencoder(const Stream& stream, const SpectralWeights& weights, const SpectralOptions& options = {});

  const SpectralShape& shape() const noexcept;
  SpectralPrecision precision() const noexcept;

  /// y = the windows of x as the model reconstructs them: both [n][frames][mels].
  void forward(const Stream& stream, std::span<const float> x, std::span<float> y) const;

  /// scores[i] = the mean squared error of window i's reconstruction.
  void score(const Stream& stream, std::span<const float> x, std::span<float> scores) const;

 private:
  class Model;
  std::shared_ptr<const Model> model_;  // immutable, on the device
};

}  // namespace rafter
