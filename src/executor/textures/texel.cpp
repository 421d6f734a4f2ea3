// The conversion of texels to 32-bit floats and integers.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "executor/textures/texture.hpp"

namespace rafter::simt {
namespace {

std::uint32_t bits_at(const std::byte* texel, int component, int bits) {
  std::uint32_t value = 0;
  std::memcpy(&value, texel + component * bits / 8, static_cast<std::size_t>(bits / 8));
  return value;
}

std::int32_t sign_extended(std::uint32_t value, int bits) {
  return static_cast<std::int32_t>(value << (32 - bits)) >> (32 - bits);
}

float half_value(std::uint32_t half) {
  const auto fraction = static_cast<float>(half & 0x3ff);
  const int exponent = static_cast<int>(half >> 10 & 31);
  float value = 0;
  if (exponent == 31) {
    value = fraction == 0 ? HUGE_VALF : std::bit_cast<float>(0x7fc00000u);
  } else {
    value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  }
  return (half & 0x8000) != 0 ? -value : value;
}

float float_value(std::uint32_t value, int bits) {
  return bits == 16 ? half_value(value) : std::bit_cast<float>(value);
}

double most_of(const TexelFormat& format) {
  const int bits = format.kind == cudaChannelFormatKindUnsigned ? format.bits : format.bits - 1;
  return static_cast<double>((1u << bits) - 1);
}

/// Returns an integer in [0, 1] or [-1, 1]. The least signed value is -1, too: -128 as well as -127.
float normalized(std::uint32_t value, const TexelFormat& format) {
  if (format.kind == cudaChannelFormatKindUnsigned) return static_cast<float>(value / most_of(format));
  return static_cast<float>(std::max(sign_extended(value, format.bits) / most_of(format), -1.0));
}

/// Rounds to `bits` significant bits, but no finer than `least`.
double rounded(double value, int bits, double least) {
  const double exponent = std::floor(std::log2(std::max(value, least)));
  const double step = std::max(std::exp2(exponent - bits + 1), least);
  return std::floor(value / step + 0.5) * step;
}

/// Converts an sRGB byte to a linear value as an H200 does: to 8 significant bits, with 14 values not rounded to
/// nearest.
float linear_of_srgb(std::size_t byte) {
  constexpr auto higher = std::to_array<std::size_t>({33, 66, 184, 186, 252, 253});
  constexpr auto lower = std::to_array<std::size_t>({32, 65, 68, 70, 97, 249, 250, 251});
  const double v = static_cast<double>(byte) / 255;
  const double exact = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  const double nearest = rounded(exact, 8, 0x1p-14);
  const double step = std::exp2(std::floor(std::log2(std::max(exact, 0x1p-14))) - 7);
  const bool is_higher = std::find(higher.begin(), higher.end(), byte) != higher.end();
  const bool is_lower = std::find(lower.begin(), lower.end(), byte) != lower.end();
  return static_cast<float>(nearest + (is_higher ? step : is_lower ? -step : 0));
}

std::array<float, 256> make_colors() {
  std::array<float, 256> all{};
  for (std::size_t byte = 0; byte < all.size(); ++byte) all[byte] = linear_of_srgb(byte);
  return all;
}

float color(std::uint32_t byte) {
  static const std::array<float, 256> all = make_colors();
  return all[byte];
}

bool is_color(const Texture& texture) {
  return texture.how.sRGB != 0 && texture.format.bits == 8 && texture.format.kind == cudaChannelFormatKindUnsigned;
}

}  // namespace

std::optional<TexelFormat> format_of(const cudaChannelFormatDesc& description) {
  const int bits[4] = {description.x, description.y, description.z, description.w};
  int n = 0;
  while (n < 4 && bits[n] == bits[0]) ++n;
  const bool is_cut = std::any_of(bits + n, bits + 4, [](int b) { return b != 0; });
  const bool is_width = bits[0] == 8 || bits[0] == 16 || bits[0] == 32;
  const bool is_kind = description.f == cudaChannelFormatKindSigned || description.f == cudaChannelFormatKindUnsigned ||
                       (description.f == cudaChannelFormatKindFloat && bits[0] != 8);
  if (is_cut || n == 3 || !is_width || !is_kind) return std::nullopt;
  return TexelFormat{n, bits[0], description.f};
}

std::array<float, 4> floats_of(const Texture& texture, const std::byte* texel) {
  const TexelFormat& format = texture.format;
  std::array<float, 4> result{};
  for (int c = 0; c < format.n; ++c) {
    const std::uint32_t value = bits_at(texel, c, format.bits);
    result[static_cast<std::size_t>(c)] = format.kind == cudaChannelFormatKindFloat ? float_value(value, format.bits)
                                          : is_color(texture) && c < 3              ? color(value)
                                                                                    : normalized(value, format);
  }
  return result;
}

std::array<float, 4> border_of(const Texture& texture) {
  std::array<float, 4> result{};
  const double most = most_of(texture.format);
  for (std::size_t c = 0; c < static_cast<std::size_t>(texture.format.n); ++c) {
    result[c] = texture.how.borderColor[c];
    if (!texture.is_integer()) continue;
    const double least = texture.format.kind == cudaChannelFormatKindSigned ? -1 : 0;
    const double within = std::clamp(static_cast<double>(result[c]), least, 1.0);
    result[c] = static_cast<float>(std::ceil(within * most - 0.5) / most);
  }
  return result;
}

float filtered(const Texture& texture, std::size_t component, double sum) {
  if (!texture.is_integer()) return static_cast<float>(sum);
  if (is_color(texture) && component < 3) return static_cast<float>(rounded(sum, 11, 0x1p-24));
  const bool is_unsigned = texture.format.kind == cudaChannelFormatKindUnsigned;
  if (!is_unsigned && texture.format.bits == 8) return static_cast<float>(sum);
  const double most = is_unsigned ? 65535 : 32767;
  return static_cast<float>(std::floor(sum * most + 0.5) / most);
}

std::array<std::uint32_t, 4> integers_of(const TexelFormat& format, const std::byte* texel) {
  std::array<std::uint32_t, 4> result{};
  for (int c = 0; c < format.n; ++c) {
    const std::uint32_t value = bits_at(texel, c, format.bits);
    result[static_cast<std::size_t>(c)] = format.kind == cudaChannelFormatKindSigned
                                              ? static_cast<std::uint32_t>(sign_extended(value, format.bits))
                                              : value;
  }
  return result;
}

}  // namespace rafter::simt
