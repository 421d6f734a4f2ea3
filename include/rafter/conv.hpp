// Convolution of images as in neural networks: cross-correlation with learned kernels.
#pragma once

#include <cstdint>
#include <type_traits>

#include "rafter/device_span.hpp"
#include "rafter/export.hpp"
#include "rafter/half.hpp"
#include "rafter/stream.hpp"
#include "rafter/types.hpp"

namespace rafter::inline v1 {

using ConvTypes = Types<float, Half>;

/// The extents of a convolution. Images are NCHW: [batch][channels][height][width]. Kernels are [maps][channels][kernel
/// height][kernel width]. Each image is padded with zeros: `pad_height` rows above and below, `pad_width` columns left
/// and right.
struct ConvShape {
  std::int64_t batch = 1;
  std::int64_t channels = 1;
  std::int64_t height = 1;
  std::int64_t width = 1;
  std::int64_t maps = 1;
  std::int64_t kernel_height = 1;
  std::int64_t kernel_width = 1;
  std::int64_t pad_height = 0;
  std::int64_t pad_width = 0;

  [[nodiscard]] constexpr std::int64_t out_height() const { return height + 2 * pad_height - kernel_height + 1; }
  [[nodiscard]] constexpr std::int64_t out_width() const { return width + 2 * pad_width - kernel_width + 1; }
  [[nodiscard]] constexpr std::int64_t image() const { return channels * height * width; }  ///< elements of one image
  [[nodiscard]] constexpr std::int64_t kernel() const {
    return channels * kernel_height * kernel_width;
  }  ///< elements of one kernel
  bool operator==(const ConvShape&) const = default;
};

/// Max pooling over windows of size x size that begin every `stride` pixels. With `ceil` the last windows may extend
/// past the edge; they then use the pixels inside the image.
struct MaxPool {
  std::int64_t size = 1;
  std::int64_t stride = 1;
  bool ceil = false;

  [[nodiscard]] constexpr bool is_none() const { return size == 1 && stride == 1; }
  /// Returns the number of windows along n pixels. A window that would begin past the last pixel does not count.
  [[nodiscard]] constexpr std::int64_t out(std::int64_t n) const {
    if (n < size) return ceil && n > 0 ? 1 : 0;
    const std::int64_t windows = (n - size + (ceil ? stride - 1 : 0)) / stride + 1;
    return (windows - 1) * stride < n ? windows : windows - 1;
  }
  bool operator==(const MaxPool&) const = default;
};

/// The arithmetic of products; sums are always accumulated in float32. S is the sum of the magnitudes of an output's n
/// products:
///
///   fp32        float32 throughout. Error at most n 2^-23 S; see also ConvOptions::winograd.
///   tf32        factors may be rounded to 11 bits: 2^-10 S more.
///   fp16        factors rounded to float16: 2^-10 S more, and for factors below 2^-14 also 2^-24 times the sum of
///               all factors' magnitudes. Factors above 65504 become infinite.
///   split_fp16  each factor is the sum of two float16: 2^-20 S more. Range as fp16.
enum class ConvPrecision { fp32, tf32, fp16, split_fp16 };
inline constexpr ConvPrecision conv_precisions[] = {ConvPrecision::fp32, ConvPrecision::tf32, ConvPrecision::fp16,
                                                    ConvPrecision::split_fp16};

[[nodiscard]] constexpr const char* name(ConvPrecision precision) noexcept {
  switch (precision) {
    case ConvPrecision::fp32: return "fp32";
    case ConvPrecision::tf32: return "tf32";
    case ConvPrecision::fp16: return "fp16";
    case ConvPrecision::split_fp16: return "split_fp16";
  }
  return "";
}

/// The operations applied to the sums, in this order: the map's bias is added, negative values become 0 (ReLU), windows
/// are max-pooled.
template <class T>
struct ConvOptions {
  ConvPrecision precision = ConvPrecision::fp32;
  DeviceSpan<const T> bias{};  ///< one per map; empty: no bias
  bool relu = false;
  MaxPool pool{};
  /// Whether fp32 with 3 x 3 kernels may use Winograd's F(2x2,3x3) where it is faster, several times on a GPU. Off by
  /// default, because it widens the error bound. Its error is at most (channels + 32) 2^-23 W, where W is S with every
  /// factor replaced by the sums of its neighbours' magnitudes in the transforms: 64/9 S when all inputs and all
  /// weights have one magnitude.
  bool winograd = false;
};

namespace detail {
template <class T>
struct RAFTER_API Conv {
  void operator()(const Stream& stream, DeviceSpan<const T> in, DeviceSpan<const T> kernels, const ConvShape& shape,
                  const ConvOptions<std::type_identity_t<T>>& options, DeviceSpan<T> out) const;
};
}  // namespace detail

/// Writes out[b][m][y][x] = sum over c, p, q of in[b][c][y + p][x + q] * kernels[m][c][p][q], with stride 1, then
/// applies `options`. `out` is [batch][maps][out height][out width], of the pooled size if `options` has a pool. The
/// caller owns all arrays; they are contiguous, in memory of the stream's device, and `out` must not overlap the
/// others.
///
/// float16 tensors are exact factors in every precision; results are rounded once, at the end. Deterministic: equal
/// inputs of equal shape give equal bits on the same device. The CPU supports fp32 only.
///
/// No synchronisation; may be captured in a CUDA graph. Winograd's algorithm takes scratch for transformed kernels.
/// Pooling, where it is a separate pass, takes scratch for the unpooled output. This scratch must exist before a
/// capture: run the same call once, or call Stream::reserve(). Throws Error (bad_argument) when sizes do not fit, a
/// kernel is larger than the padded image, a pointer is null or misaligned, or `out` overlaps an input; Error
/// (unsupported) for a precision that the device does not have.
inline constexpr OverloadsFor<detail::Conv, ConvTypes> conv{};

}  // namespace rafter::inline v1
