// Weights in the order in which the GPU's kernels read them; made on the host.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "spectral/spectral_model.hpp"

namespace rafter::spectral_ladder {

/// What the fused kernel (cuda/spectral_fused.cuh) reads: fragments of mma.m16n8k8, 4 floats for a lane, of the
/// original configuration. Warp 2 f + h has frame f and its slices 32 h to 32 h + 31; of the outputs, the 32 from
/// 32 (2 f + h).
struct FragmentLayout {
  static constexpr int mels = 64, frames = 5, latent = 32, slice = 64;
  static constexpr int n_warps = 2 * frames;
  static constexpr int fragment = 32 * 4;  // floats
  static constexpr int encoder_steps = mels / 8, latent_steps = latent / 8;

  // In floats.
  static constexpr int encoder = 0;                                                      // [half][tile][step]
  static constexpr int basis = encoder + 2 * 2 * encoder_steps * fragment;               // [warp][tile][step]
  static constexpr int decoder = basis + n_warps * 2 * latent_steps * fragment;          // [warp][tile][step]
  static constexpr int latent_weight = decoder + n_warps * 2 * latent_steps * fragment;  // [in][out]
  static constexpr int latent_bias = latent_weight + latent * latent;
  static constexpr int encoder_bias = latent_bias + latent;
  static constexpr int decoder_bias = encoder_bias + slice;
  static constexpr int size = decoder_bias + frames * mels;
};

/// Of a precision that rounds factors, rounded here.
std::vector<float> pack_fragments(const FoldedWeights& folded, SpectralPrecision precision);

/// A matrix [rows][columns] as the products on tensor cores (cuda/spectral_products.cuh) read it, columns innermost:
/// float32 numbers of tf32 or bfloat16. fp32 has two planes, of which the second is what the first leaves over.
struct OperandLayout {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  int element_bytes = 4;
  int n_planes = 1;

  constexpr std::int64_t pitch() const {  // bytes from row to row: TMA wants multiples of 16
    return (columns * element_bytes + 15) / 16 * 16;
  }
  constexpr std::int64_t plane() const { return (rows * pitch() + 127) / 128 * 128; }  // bytes
  constexpr std::int64_t bytes() const { return n_planes * plane(); }
};

constexpr OperandLayout operand_of(SpectralPrecision precision, std::int64_t rows, std::int64_t columns) {
  return {rows, columns, precision == SpectralPrecision::bf16 ? 2 : 4, precision == SpectralPrecision::fp32 ? 2 : 1};
}

/// The weights of all products, [out][in], and their biases: where each begins, in bytes.
struct ProductsLayout {
  OperandLayout encoder, basis, latent, decoder;
  std::int64_t encoder_at, basis_at, latent_at, decoder_at;
  std::int64_t encoder_bias_at, latent_bias_at, decoder_bias_at;
  std::int64_t bytes;
};
ProductsLayout products_layout(const SpectralShape& shape, SpectralPrecision precision);
std::vector<std::byte> pack_products(const FoldedWeights& folded, SpectralPrecision precision);

/// The nearest number of tf32, ties away from zero, as cvt.rna.tf32 has it.
constexpr float rounded_to_tf32(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7f800000) == 0x7f800000) return value;  // infinite or NaN
  return std::bit_cast<float>((bits + 0x1000) & 0xffffe000);
}

}  // namespace rafter::spectral_ladder
