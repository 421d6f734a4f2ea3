// Packs a folded model for the GPU's kernels.
#include "spectral/spectral_pack.hpp"

#include <cmath>
#include <cstring>

#include "library/core/parts.hpp"
#include "rafter/half.hpp"

namespace rafter::spectral_ladder {

namespace {

using Layout = FragmentLayout;

template <class T>
void put_element(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

float largest_of(const std::vector<float>& values) {
  float largest = 0;
  for (const float value : values) {
    if (!(std::abs(value) <= largest)) largest = std::abs(value);  // NaN stays
  }
  return largest;
}

/// Returns the power of 2 that scales the largest element to 2^8 or slightly more: far from both ends of float16's
/// range.
float scale_of(const std::vector<float>& matrix) {
  const float largest = largest_of(matrix);
  return largest > 0 ? std::ldexp(1.F, 8 - std::ilogb(largest)) : 1;
}

std::uint32_t pair_of(Half low, Half high) { return std::uint32_t{low.bits} | std::uint32_t{high.bits} << 16; }

/// Writes a matrix [in][out] as fragments.
class FragmentWriter {
 public:
  FragmentWriter(const std::vector<float>& matrix, int n_out) : matrix_(matrix), n_out_(n_out) {}
  float scale() const { return scale_; }

  /// Writes two tiles of 16 outputs from `out` on, and `steps` steps of 16 inputs from `in` on. Each of the four lanes
  /// of a column holds `steps` times 4 consecutive inputs; in a step, lane t has the next four, in slots 2t, 2t+1,
  /// 2t+8, 2t+9.
  void put(std::byte* to, int out, int in, int steps) const {
    for (int at = 0; at < 2 * steps; ++at, to += 2 * Layout::fragment) {
      for (int lane = 0; lane < 32; ++lane) {
        const int g = lane / 4, t = lane % 4, first = in + t * steps * 4 + at % steps * 4,
                  row = out + at / steps * 16 + g;
        for (int i = 0; i < 4; ++i) put_pair(to + lane * 16 + i * 4, first + i / 2 * 2, row + i % 2 * 8);
      }
    }
  }

 private:
  void put_pair(std::byte* to, int in, int out) const {
    Half upper[2], rest[2];
    for (int i = 0; i < 2; ++i) {
      const float value = matrix_[static_cast<std::size_t>((in + i) * n_out_ + out)] * scale_;
      upper[i] = Half(value);
      rest[i] = Half(value - static_cast<float>(upper[i]));
    }
    put_element(to, pair_of(upper[0], upper[1]));
    put_element(to + Layout::fragment, pair_of(rest[0], rest[1]));
  }

  const std::vector<float>& matrix_;
  int n_out_;
  float scale_ = scale_of(matrix_);
};

void copy_to(float* to, const std::vector<float>& from) { std::memcpy(to, from.data(), from.size() * sizeof(float)); }

/// Writes a matrix [in][out] as an operand [out][in].
void put_operand(std::byte* to, const OperandLayout& layout, const std::vector<float>& matrix) {
  const std::int64_t n_out = layout.rows, n_in = layout.columns;
  core::for_each_index(core::default_threads(), n_out, [&](std::int64_t out) {
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
  });
}

}  // namespace

bool fits_fragments(const FoldedWeights& folded) {
  const auto fits = [](const std::vector<float>& matrix, const std::vector<float>& bias) {
    const std::size_t n_out = bias.size(), n_in = matrix.size() / n_out;
    for (std::size_t out = 0; out < n_out; ++out) {
      double squares = 0;
      for (std::size_t in = 0; in < n_in; ++in) squares += std::pow(static_cast<double>(matrix[in * n_out + out]), 2);
      const double most = std::sqrt(squares * static_cast<double>(n_in)) + std::abs(static_cast<double>(bias[out]));
      if (!(most < 6e4)) return false;
    }
    return true;
  };
  return fits(folded.encoder, folded.encoder_bias) && fits(folded.latent, folded.latent_bias) &&
         std::isfinite(largest_of(folded.basis)) && std::isfinite(largest_of(folded.decoder));
}

std::vector<std::byte> pack_fragments(const FoldedWeights& folded) {
  std::vector<std::byte> packed(Layout::size);
  const FragmentWriter encoder(folded.encoder, Layout::slice), basis(folded.basis, Layout::latent),
      latent(folded.latent, Layout::latent), decoder(folded.decoder, Layout::frames * Layout::mels);
  for (int half = 0; half < 2; ++half)
    encoder.put(packed.data() + Layout::encoder + half * Layout::encoder_part, half * 32, 0, Layout::encoder_steps);
  latent.put(packed.data() + Layout::latent_weight, 0, 0, Layout::latent_steps);
  for (int warp = 0; warp < Layout::n_warps; ++warp) {
    basis.put(packed.data() + Layout::basis + warp * Layout::latent_part, 0, warp * 32, Layout::latent_steps);
    decoder.put(packed.data() + Layout::decoder + warp * Layout::latent_part, warp * 32, 0, Layout::latent_steps);
  }
  const auto floats = [&](int at, const std::vector<float>& from) {
    copy_to(reinterpret_cast<float*>(packed.data() + at), from);
  };
  floats(Layout::encoder_bias, folded.encoder_bias);
  floats(Layout::latent_bias, folded.latent_bias);
  floats(Layout::decoder_bias, folded.decoder_bias);
  floats(Layout::scales, {1 / encoder.scale(), 1 / basis.scale(), 1 / latent.scale(), 1 / decoder.scale()});
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
