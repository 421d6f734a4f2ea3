// Convolution of images, as networks have it: cross-correlation with learned kernels.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "rafter/half.hpp"
#include "rafter/stream.hpp"
#include "rafter/types.hpp"

namespace rafter {

using ConvTypes = Types<float, Half>;

/// The extents of a convolution. Images are NCHW: [batch][channels][height][width], kernels [maps][channels][kernel
/// height][kernel width]; zeros stand around each image, `pad_height` rows above and below, `pad_width` columns left
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

  constexpr std::int64_t out_height() const { return height + 2 * pad_height - kernel_height + 1; }
  constexpr std::int64_t out_width() const { return width + 2 * pad_width - kernel_width + 1; }
  constexpr std::int64_t image() const { return channels * height * width; }  ///< elements
  constexpr std::int64_t kernel() const { return channels * kernel_height * kernel_width; }
  bool operator==(const ConvShape&) const = default;
};

/// The largest of each window of size x size; windows begin every `stride` pixels. With `ceil` the last ones may reach
/// over the edge, and take what there is.
struct MaxPool {
  std::int64_t size = 1;
  std::int64_t stride = 1;
  bool ceil = false;

  constexpr bool is_none() const { return size == 1 && stride == 1; }
  /// Windows along n pixels. One that would begin past the last pixel is none.
  constexpr std::int64_t out(std::int64_t n) const {
    if (n < size) return ceil && n > 0 ? 1 : 0;
    const std::int64_t windows = (n - size + (ceil ? stride - 1 : 0)) / stride + 1;
    return (windows - 1) * stride < n ? windows : windows - 1;
  }
  bool operator==(const MaxPool&) const = default;
};

/// How products are calculated; sums are kept in float32 in any case. With S the sum of the magnitudes of the n
/// products of an output:
///
///   fp32        float32 throughout. Error at most n 2^-23 S; see also ConvOptions::winograd.
///   tf32        factors may be rounded to 11 bits: 2^-10 S more.
///   fp16        factors rounded to float16: 2^-10 S more, and 2^-24 times the sum of all factors' magnitudes, for
///               those under 2^-14. Factors above 65504 become infinite.
///   split_fp16  factors as two float16 each: 2^-20 S more. The same range as fp16.
enum class ConvPrecision { fp32, tf32, fp16, split_fp16 };
inline constexpr ConvPrecision conv_precisions[] = {ConvPrecision::fp32, ConvPrecision::tf32, ConvPrecision::fp16,
                                                    ConvPrecision::split_fp16};

constexpr const char* name(ConvPrecision precision) noexcept {
  switch (precision) {
    case ConvPrecision::fp32: return "fp32";
    case ConvPrecision::tf32: return "tf32";
    case ConvPrecision::fp16: return "fp16";
    case ConvPrecision::split_fp16: return "split_fp16";
  }
  return "";
}

/// What comes after the sums, in this order: the bias of a map is added, negative numbers become 0, windows become
/// their largest.
template <class T>
struct ConvOptions {
  ConvPrecision precision = ConvPrecision::fp32;
  std::span<const T> bias{};  ///< one for each map, or none
  bool relu = false;
  MaxPool pool{};
  /// fp32, 3 x 3 kernels: Winograd's F(2x2,3x3) may be used where it is faster. Its error is at most
  /// (channels + 32) 2^-23 W, where W is S with every factor replaced by sums of its neighbours' magnitudes as the
  /// transforms have them: 64/9 S where all inputs and all weights have one magnitude.
  bool winograd = true;
};

namespace detail {
template <class T>
struct Conv {
  void operator()(const Stream& stream, std::span<const T> in, std::span<const T> kernels, const ConvShape& shape,
                  const ConvOptions<std::type_identity_t<T>>& options, std::span<T> out) const;
};
}  // namespace detail

/// Writes out[b][m][y][x] = sum over c, p, q of in[b][c][y + p][x + q] * kernels[m][c][p][q], stride 1, then what
/// `options` has behind it. `out` is [batch][maps][out height][out width] of the shape, or of the pooled shape. All
/// arrays are the caller's, contiguous, on the stream's device; `out` overlaps none of the others.
///
/// Tensors of float16 are exact factors in every precision; their results are rounded once, at the end.
/// Deterministic: equal inputs of equal shape give equal bits on the same device. On the CPU there is fp32 alone.
///
/// No synchronisation; may be captured in a CUDA graph. Winograd's algorithm takes scratch for transformed kernels, and
/// pooling, where it is a pass of its own, for the output before it; for a capture that must be there: run the same
/// once, or Stream::reserve() as much.
/// Throws Error (bad_argument) when sizes do not fit, a kernel is larger than the padded image, a pointer is null or
/// misaligned, or `out` overlaps an input; Error (unsupported) for a precision that the device does not have.
inline constexpr OverloadsFor<detail::Conv, ConvTypes> conv{};

}  // namespace rafter
