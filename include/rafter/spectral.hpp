// SpectralShapeAutoencoder: an autoencoder for short windows of mel spectra; the reconstruction error indicates
// anomalies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rafter/device_span.hpp"
#include "rafter/export.hpp"
#include "rafter/stream.hpp"

namespace rafter::inline v1 {

/// The extents of a model. A window is `frames` spectra of `mels` values. Each spectrum is encoded to a slice of
/// `slice` values, and all slices of a window together to `latent` values.
struct SpectralShape {
  std::int64_t mels = 64;
  std::int64_t frames = 5;
  std::int64_t latent = 32;
  std::int64_t slice = 64;

  [[nodiscard]] constexpr std::int64_t window() const { return frames * mels; }     ///< values per window
  [[nodiscard]] constexpr std::int64_t features() const { return frames * slice; }  ///< values of a window's slices
  bool operator==(const SpectralShape&) const = default;
};

/// The weights of a trained model. Matrices are [out][in], as in torch.nn.Linear.
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

/// Reads a safetensors file with the PyTorch module's names, listed above; the extents come from the tensors' shapes.
/// Other tensors are rejected, except `global_decoder.weight`, which the module has but does not use. Tensors are F32,
/// F16, BF16 or F64, in any order, and finite; `global_basis` is (latent, frames * slice) or (latent, frames, slice).
/// Throws Error (io) when the file cannot be read, and (bad_argument) with the reason when it does not hold such a
/// model.
[[nodiscard]] RAFTER_API SpectralWeights read_spectral_weights(const std::string& path);

/// Parses such a file in memory. Messages call it `name`.
[[nodiscard]] RAFTER_API SpectralWeights parse_spectral_weights(std::span<const std::byte> file,
                                                                const std::string& name);

/// Writes such a file atomically. Throws Error (bad_argument) for vectors that do not fit the shape, (io).
RAFTER_API void write_spectral_weights(const std::string& path, const SpectralWeights& weights);

/// The arithmetic of products; sums, norms and GELU are always float32.
enum class SpectralPrecision { fp32, tf32, bf16 };
inline constexpr SpectralPrecision spectral_precisions[] = {SpectralPrecision::fp32, SpectralPrecision::tf32,
                                                            SpectralPrecision::bf16};
[[nodiscard]] RAFTER_API const char* name(SpectralPrecision precision) noexcept;

struct SpectralOptions {
  SpectralPrecision precision = SpectralPrecision::fp32;  ///< the CPU supports fp32 only
};

/// A model on a device. Created once; may be used on any number of streams.
///
///   slices   LayerNorm over a spectrum's mels, Linear mels -> slice, GELU       the same for every frame
///   z        the window's slices . basis^T, whose rows have length 1            frames * slice -> latent
///   latent   LayerNorm, Linear latent -> latent, GELU
///   y        z . basis, then Linear slice -> mels for every frame
///
/// GELU is x/2 (1 + erf(x / sqrt 2)); LayerNorm has an epsilon of 1e-5. Functions enqueue on the stream and do not
/// wait. The caller owns all arrays, in memory of the stream's device. A window's result depends neither on its place
/// in the batch nor on the other windows. May be captured in a CUDA graph after the same call has run once. The
/// functions throw Error (bad_argument) when sizes do not fit, a pointer is null or misaligned, or the stream is on
/// another device.
///
/// Threads may share an object.
class RAFTER_API SpectralAutoencoder {
 public:
  /// Packs the weights for the stream's device and waits for it. Throws Error (bad_argument) for vectors that do not
  /// fit the shape, (unsupported) for a precision that the device does not have, (out_of_memory).
  SpectralAutoencoder(const Stream& stream, const SpectralWeights& weights, const SpectralOptions& options = {});

  [[nodiscard]] const SpectralShape& shape() const noexcept;
  [[nodiscard]] SpectralPrecision precision() const noexcept;

  /// Reconstructs windows: y is the model's output for x, both [n][frames][mels].
  void forward(const Stream& stream, DeviceSpan<const float> x, DeviceSpan<float> y) const;

  /// Writes scores[i] = the mean squared error of window i's reconstruction.
  void score(const Stream& stream, DeviceSpan<const float> x, DeviceSpan<float> scores) const;

 private:
  class Model;
  std::shared_ptr<const Model> model_;  // immutable, on the device
};

}  // namespace rafter::inline v1
