// Packs a folded model for the GPU's kernels.
#include "spectral/spectral_pack.hpp"

#include <cstring>

#include "rafter/half.hpp"

namespace rafter::spectral_ladder {

namespace {

using Layout = FragmentLayout;

/// Of a matrix [in][out], 16 outputs from `out` on; slot k of a step is the input in_of(k).
template <class InOf>
void put_fragment(float* to, const std::vector<float>& matrix, int n_out, int out, const InOf& in_of) {
  for (int lane = 0; lane < 32; ++lane) {
    const int g = lane / 4, t = lane % 4;
    for (int i = 0; i < 4; ++i) {
      const int in = in_of(t + i / 2 * 4), row = out + g + i % 2 * 8;
      to[lane * 4 + i] = matrix[static_cast<std::size_t>(in * n_out + row)];
    }
  }
}

/// Which of 4 n numbers that the four lanes of a column hold, n in a row each, is slot k of a step: lane t's next two
/// are slots t and t + 4.
int held_at(int n, int step, int slot) { return slot % 4 * n + 2 * step + slot / 4; }

void copy_to(float* to, const std::vector<float>& from) { std::memcpy(to, from.data(), from.size() * sizeof(float)); }

template <class T>
void put_element(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

/// A matrix [in][out] as an operand [out][in].
void put_operand(std::byte* to, const OperandLayout& layout, const std::vector<float>& matrix) {
  const std::int64_t n_out = layout.rows, n_in = layout.columns;
#pragma omp parallel for schedule(static)
  for (std::int64_t out = 0; out < n_out; ++out) {
    for (std::int64_t in = 0; in < n_in; ++in) {
      const float value = matrix[static_cast<std::size_t>(in * n_out + out)];
      std::byte* at = to + out * layout.pitch() + in * layout.element_bytes;
      if (layout.element_bytes == 2) {
        put_element(at, Bfloat16(value));
        continue;
      }
      const float upper = rounded_to_tf32(value);
      put_element(at, upper);
      if (layout.n_planes == 2) put_element(at + layout.plane(), rounded_to_tf32(value - upper));
    }
  }
}

}  // namespace

std::vector<float> pack_fragments(const FoldedWeights& folded, SpectralPrecision precision) {
  std::vector<float> packed(Layout::size);
  const auto place = [&](int base, int index) { return packed.data() + base + index * Layout::fragment; };
  for (int at = 0; at < 2 * 2 * Layout::encoder_steps; ++at) {
    const int step = at % Layout::encoder_steps, tile = at / Layout::encoder_steps;
    put_fragment(place(Layout::encoder, at), folded.encoder, Layout::slice, tile * 16,
                 [&](int slot) { return held_at(Layout::mels / 4, step, slot); });
  }
  for (int at = 0; at < Layout::n_warps * 2 * Layout::latent_steps; ++at) {
    const int step = at % Layout::latent_steps, tile = at / Layout::latent_steps % 2;
    const int warp = at / (2 * Layout::latent_steps);
    const auto held = [&](int slot) { return held_at(Layout::latent / 4, step, slot); };
    put_fragment(place(Layout::basis, at), folded.basis, Layout::latent, tile * 16,
                 [&](int slot) { return warp * 32 + held(slot); });
    put_fragment(place(Layout::decoder, at), folded.decoder, Layout::frames * Layout::mels, warp * 32 + tile * 16,
                 held);
  }
  if (precision != SpectralPrecision::fp32) {
    for (int i = 0; i < Layout::latent_weight; ++i)
      packed[static_cast<std::size_t>(i)] = rounded_to_tf32(packed[static_cast<std::size_t>(i)]);
  }
  copy_to(packed.data() + Layout::latent_weight, folded.latent);
  copy_to(packed.data() + Layout::latent_bias, folded.latent_bias);
  copy_to(packed.data() + Layout::encoder_bias, folded.encoder_bias);
  copy_to(packed.data() + Layout::decoder_bias, folded.decoder_bias);
  return packed;
}

ProductsLayout products_layout(const SpectralShape& shape, SpectralPrecision precision) {
  ProductsLayout layout{};
  const auto take = [&](std::int64_t bytes) {
    const std::int64_t at = layout.bytes;
    layout.bytes += (bytes + 127) / 128 * 128;
    return at;
  };
  const auto operand = [&](OperandLayout& matrix, std::int64_t rows, std::int64_t columns) {
    matrix = operand_of(precision, rows, columns);
    return take(matrix.bytes());
  };
  const auto floats = [&](std::int64_t n) { return take(n * static_cast<std::int64_t>(sizeof(float))); };
  layout.encoder_at = operand(layout.encoder, shape.slice, shape.mels);
  layout.basis_at = operand(layout.basis, shape.latent, shape.features());
  layout.latent_at = operand(layout.latent, shape.latent, shape.latent);
  layout.decoder_at = operand(layout.decoder, shape.window(), shape.latent);
  layout.encoder_bias_at = floats(shape.slice);
  layout.latent_bias_at = floats(shape.latent);
  layout.decoder_bias_at = floats(shape.window());
  return layout;
}

std::vector<std::byte> pack_products(const FoldedWeights& folded, SpectralPrecision precision) {
  const ProductsLayout layout = products_layout(folded.shape, precision);
  std::vector<std::byte> packed(static_cast<std::size_t>(layout.bytes));
  put_operand(packed.data() + layout.encoder_at, layout.encoder, folded.encoder);
  put_operand(packed.data() + layout.basis_at, layout.basis, folded.basis);
  put_operand(packed.data() + layout.latent_at, layout.latent, folded.latent);
  put_operand(packed.data() + layout.decoder_at, layout.decoder, folded.decoder);
  const auto floats = [&](std::int64_t at, const std::vector<float>& from) {
    copy_to(reinterpret_cast<float*>(packed.data() + at), from);
  };
  floats(layout.encoder_bias_at, folded.encoder_bias);
  floats(layout.latent_bias_at, folded.latent_bias);
  floats(layout.decoder_bias_at, folded.decoder_bias);
  return packed;
}

}  // namespace rafter::spectral_ladder
