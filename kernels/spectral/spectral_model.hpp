// A model as the ops read it: everything that depends on the weights alone is computed once and stored in the order of
// reading.
//
//   LayerNorm's scale and shift   are part of the following Linear
//   the basis                     has rows of length 1
//   z . basis, then the decoder   are one product: both are linear, with nothing in between
//
// The last one leaves 10240 of 30720 multiply-adds per window after the latent layer, for the original configuration.
#pragma once

#include <cstddef>
#include <vector>

#include "rafter/buffer.hpp"
#include "spectral/spectral_rung.hpp"

namespace rafter::spectral_ladder {

/// The folded model. Matrices are [in][out].
struct FoldedWeights {
  SpectralShape shape;
  std::vector<float> encoder{};       // [mels][slice]
  std::vector<float> encoder_bias{};  // [slice]
  std::vector<float> basis{};         // [frames][slice][latent]
  std::vector<float> latent{};        // [latent][latent]
  std::vector<float> latent_bias{};   // [latent]
  std::vector<float> decoder{};       // [latent][frames][mels]
  std::vector<float> decoder_bias{};  // [frames][mels]
};

/// Returns the folded model; each element is computed in float64 and rounded once.
FoldedWeights fold(const SpectralWeights& weights);

/// The folded model in one array in the order of reading, with each matrix at a multiple of 64 bytes.
struct FoldedTensors {
  const float* encoder;
  const float* encoder_bias;
  const float* basis;
  const float* latent;
  const float* latent_bias;
  const float* decoder;
  const float* decoder_bias;
};
std::vector<float> folded_array(const FoldedWeights& folded);
FoldedTensors folded_tensors_in(const float* array, const SpectralShape& shape);

/// The form of the weights that a device's op reads.
enum class Packing {
  tensors,    // in PyTorch's layout (SpectralTensors)
  panels,     // cpu::pack_panels()
  fragments,  // pack_fragments()
  products,   // pack_products()
};

/// The implementation for a device.
struct SpectralOps {
  const SpectralRung& forward;
  Packing (*packing)(const FoldedWeights& folded);
};
const SpectralOps& ops_of(const Stream& stream);

namespace cpu {
extern const SpectralOps ops;
}
namespace cuda {
extern const SpectralOps ops;
}
namespace simt {  // defined in programs that link the executor's kernels
extern const SpectralOps ops __attribute__((weak));
}

/// A model on a device, packed for its op.
class SpectralModel {
 public:
  /// Packs the model. Throws Error (bad_argument) for vectors that do not fit the shape, (unsupported) for a precision
  /// that the device does not have.
  SpectralModel(const Stream& stream, const SpectralWeights& weights, SpectralPrecision precision);

  const SpectralShape& shape() const noexcept { return shape_; }
  SpectralPrecision precision() const noexcept { return precision_; }
  const Stream& stream() const noexcept { return packed_.stream(); }
  Packing packing() const noexcept { return packing_; }
  std::uint64_t id() const noexcept { return id_; }  ///< unique among all models of the program
  const std::byte* packed() const noexcept { return packed_.data(); }
  const float* packed_floats() const noexcept { return reinterpret_cast<const float*>(packed()); }

 private:
  SpectralModel(const Stream& stream, const SpectralWeights& weights, const FoldedWeights& folded,
                SpectralPrecision precision);

  SpectralShape shape_;
  SpectralPrecision precision_;
  Packing packing_;
  std::uint64_t id_;
  Buffer<std::byte> packed_;
};

/// Whether the fused kernel supports a shape.
constexpr bool is_fused_shape(const SpectralShape& shape) { return shape == SpectralShape{}; }

/// Throws Error (bad_argument) for extents below 1 and vectors that do not fit them.
void require_weights(const char* op, const SpectralWeights& weights);

/// Returns all tensors concatenated.
std::vector<float> tensor_array(const SpectralWeights& weights);

}  // namespace rafter::spectral_ladder
