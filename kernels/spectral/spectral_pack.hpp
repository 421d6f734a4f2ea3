// Weights in the order in which the GPU's kernels read them; packed on the host.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "spectral/spectral_model.hpp"

namespace rafter::spectral_ladder {

/// The weights that the fused kernel (cuda/spectral_fused.cuh) reads, for the original configuration: fragments of
/// mma.m16n8k16, 16 bytes per lane. A weight is the sum of two float16, its upper 11 bits and the rest, in two
/// fragments; each matrix is first multiplied by a power of 2, so that the rests of its larger elements are not too
/// small. Warp 2 f + h has frame f and its slices 32 h to 32 h + 31; of the outputs, the 32 from 32 (2 f + h).
struct FragmentLayout {
  static constexpr int mels = 64, frames = 5, latent = 32, slice = 64;
  static constexpr int n_warps = 2 * frames;
  static constexpr int fragment = 32 * 16;                                     // bytes
  static constexpr int encoder_steps = mels / 16, latent_steps = latent / 16;  // of 16 inputs
  static constexpr int encoder_part = 2 * encoder_steps * 2 * fragment;  // [tile of 16 outputs][step][upper, rest]
  static constexpr int latent_part = 2 * latent_steps * 2 * fragment;    // likewise

  // Offsets in bytes.
  static constexpr int encoder = 0;                                // [half]
  static constexpr int encoder_bias = encoder + 2 * encoder_part;  // [slice] floats
  static constexpr int latent_bias = encoder_bias + slice * 4;     // [latent]
  static constexpr int decoder_bias = latent_bias + latent * 4;    // [frames][mels]
  static constexpr int scales = decoder_bias + frames * mels * 4;  // [4]: factors of the sums of each matrix
  static constexpr int latent_weight = scales + 4 * 4;
  static constexpr int basis = latent_weight + latent_part;      // [warp]
  static constexpr int decoder = basis + n_warps * latent_part;  // [warp]
  static constexpr int size = decoder + n_warps * latent_part;
};
static_assert(FragmentLayout::basis % 16 == 0 && FragmentLayout::decoder % 16 == 0);

/// Whether all activations between the products fit float16 for any window: a normalised vector of n numbers has the
/// length sqrt(n), which bounds its products.
bool fits_fragments(const FoldedWeights& folded);
std::vector<std::byte> pack_fragments(const FoldedWeights& folded);

/// The layout of a matrix [rows][columns] for the products on tensor cores (cuda/spectral_products.cuh), columns
/// innermost: float32 with tf32 numbers, or bfloat16. fp32 has two planes; the second is the rest of the first.
struct OperandLayout {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  int element_bytes = 4;
  int n_planes = 1;

  constexpr std::int64_t pitch() const {  // bytes from row to row: TMA needs multiples of 16
    return (columns * element_bytes + 15) / 16 * 16;
  }
  constexpr std::int64_t plane() const { return (rows * pitch() + 127) / 128 * 128; }  // bytes
  constexpr std::int64_t bytes() const { return n_planes * plane(); }
};

constexpr OperandLayout operand_of(SpectralPrecision precision, std::int64_t rows, std::int64_t columns) {
  return {rows, columns, precision == SpectralPrecision::bf16 ? 2 : 4, precision == SpectralPrecision::fp32 ? 2 : 1};
}

/// The weights of all products, [out][in], and their biases: the offset of each in bytes.
struct ProductsLayout {
  OperandLayout encoder, basis, latent, decoder;
  std::int64_t encoder_at, basis_at, latent_at, decoder_at;
  std::int64_t encoder_bias_at, latent_bias_at, decoder_bias_at;
  std::int64_t bytes;
};
ProductsLayout products_layout(const SpectralShape& shape, SpectralPrecision precision);
std::vector<std::byte> pack_products(const FoldedWeights& folded, SpectralPrecision precision);

/// Returns the nearest tf32 number, ties away from zero, like cvt.rna.tf32.
constexpr float rounded_to_tf32(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7f800000) == 0x7f800000) return value;  // infinite or NaN
  return std::bit_cast<float>((bits + 0x1000) & 0xffffe000);
}

}  // namespace rafter::spectral_ladder
