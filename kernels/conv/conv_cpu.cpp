// vectorised: bands of output rows, spread over the threads; maps x vectors of pixels in registers (conv_simd.cpp).
// A thread copies the rows that a band needs into a buffer with zeros around them, as floats, so that the loops know
// neither edges nor types. Bound by the multiply-add units; the copies are one pass over what each band reads.
#include <algorithm>
#include <vector>

#include "conv/conv_rung.hpp"
#include "conv/conv_simd.hpp"
#include "core/arithmetic.hpp"

namespace rafter::conv_ladder::cpu {

namespace {

/// Bands of one convolution, and the buffers of a thread.
template <class T>
class Bands {
 public:
  explicit Bands(const ConvArgs<T>& args)
      : args_(args),
        shape_(args.shape),
        out_height_(args.pool.out(shape_.out_height())),
        out_width_(args.pool.out(shape_.out_width())),
        band_rows_(std::clamp(band_elements / (shape_.out_width() * args.pool.stride), std::int64_t{1}, out_height_)),
        n_map_groups_(ceil_div(shape_.maps, band_maps)) {
    pack_kernels();
  }

  std::int64_t n_bands() const { return shape_.batch * per_image(); }

  struct Buffers {
    std::vector<float> in;
    std::vector<float> out;
  };
  Buffers make_buffers() const {
    return {
        std::vector<float>(static_cast<std::size_t>(shape_.channels * in_rows(band_rows_) * in_pitch() + band_slack)),
        std::vector<float>(static_cast<std::size_t>(band_maps * conv_rows(band_rows_) * out_pitch()))};
  }

  void run(std::int64_t band, Buffers& buffers) const {
    const std::int64_t image = band / per_image();
    const std::int64_t first = band % per_image() * band_rows_;  // pooled rows
    const std::int64_t n = std::min(band_rows_, out_height_ - first);
    const std::int64_t y0 = first * args_.pool.stride;
    const std::int64_t n_rows = std::min(conv_rows(n), shape_.out_height() - y0);
    copy_rows(image, y0, in_rows(n), buffers.in.data());
    for (std::int64_t group = 0; group < n_map_groups_; ++group) {
      conv_loops().band({buffers.in.data(), in_pitch(), in_rows(n) * in_pitch(), shape_.channels, shape_.kernel_height,
                         shape_.kernel_width, kernels_.data() + group * band_maps * shape_.kernel(), n_rows,
                         shape_.out_width(), buffers.out.data(), out_pitch()});
      for (std::int64_t m = 0; m < std::min<std::int64_t>(band_maps, shape_.maps - group * band_maps); ++m)
        finish(image, group * band_maps + m, first, n, n_rows, buffers.out.data() + m * n_rows * out_pitch());
    }
  }

 private:
  static constexpr std::int64_t band_elements = 1024;

  std::int64_t per_image() const { return ceil_div(out_height_, band_rows_); }
  std::int64_t conv_rows(std::int64_t n_pooled) const { return (n_pooled - 1) * args_.pool.stride + args_.pool.size; }
  std::int64_t in_rows(std::int64_t n_pooled) const { return conv_rows(n_pooled) + shape_.kernel_height - 1; }
  std::int64_t in_pitch() const { return shape_.width + 2 * shape_.pad_width; }
  std::int64_t out_pitch() const { return ceil_div(shape_.out_width(), 16) * 16 + band_slack; }

  /// [map group][channel][tap][map], zeros for maps that are none.
  void pack_kernels() {
    const std::int64_t n = shape_.kernel();
    kernels_.resize(static_cast<std::size_t>(n_map_groups_ * band_maps * n));
    for (std::int64_t m = 0; m < shape_.maps; ++m) {
      for (std::int64_t i = 0; i < n; ++i) {
        kernels_[static_cast<std::size_t>((m / band_maps * n + i) * band_maps + m % band_maps)] =
            static_cast<float>(args_.kernels[m * n + i]);
      }
    }
  }

  void copy_rows(std::int64_t image, std::int64_t y0, std::int64_t n_rows, float* to) const {
    for (std::int64_t c = 0; c < shape_.channels; ++c) {
      const T* plane = args_.in + (image * shape_.channels + c) * shape_.height * shape_.width;
      for (std::int64_t row = 0; row < n_rows; ++row, to += in_pitch()) {
        const std::int64_t y = y0 + row - shape_.pad_height;
        std::fill_n(to, in_pitch(), 0.f);
        if (y < 0 || y >= shape_.height) continue;
        std::transform(plane + y * shape_.width, plane + (y + 1) * shape_.width, to + shape_.pad_width,
                       [](T value) { return static_cast<float>(value); });
      }
    }
  }

  /// Bias, ReLU and pooling of a map's band.
  void finish(std::int64_t image, std::int64_t map, std::int64_t first, std::int64_t n, std::int64_t n_rows,
              const float* sums) const {
    T* to = args_.out + ((image * shape_.maps + map) * out_height_ + first) * out_width_;
    for (std::int64_t row = 0; row < n; ++row, to += out_width_) {
      const std::int64_t y = row * args_.pool.stride;
      const float* line = sums + y * out_pitch();
      if (args_.pool.is_none()) {
        finish_row(
            map, [&](std::int64_t col) { return line[col]; }, to);
      } else {
        finish_row(
            map, [&](std::int64_t col) { return largest(line, n_rows - y, col * args_.pool.stride); }, to);
      }
    }
  }

  /// The largest of a window whose first row is `line`.
  float largest(const float* line, std::int64_t n_rows, std::int64_t x0) const {
    float result = line[x0];
    for (std::int64_t y = 0; y < std::min(args_.pool.size, n_rows); ++y) {
      for (std::int64_t x = x0; x < std::min(x0 + args_.pool.size, shape_.out_width()); ++x)
        result = std::max(result, line[y * out_pitch() + x]);
    }
    return result;
  }

  template <class Value>
  void finish_row(std::int64_t map, const Value& value, T* to) const {
    const float bias = args_.bias != nullptr ? static_cast<float>(args_.bias[map]) : 0.f;
    const std::int64_t n = out_width_;
    if (args_.relu) {
      for (std::int64_t col = 0; col < n; ++col) {
        const float sum = value(col) + bias;
        to[col] = static_cast<T>(sum < 0 ? 0.f : sum);
      }
    } else {
      for (std::int64_t col = 0; col < n; ++col) to[col] = static_cast<T>(value(col) + bias);
    }
  }

  const ConvArgs<T>& args_;
  const ConvShape& shape_;
  std::int64_t out_height_;
  std::int64_t out_width_;
  std::int64_t band_rows_;  // pooled rows of a band
  std::int64_t n_map_groups_;
  std::vector<float> kernels_;
};

}  // namespace

extern const ConvRung vectorised{[]<class T>(const Stream& stream, ConvArgs<T> args) {
  if (args.precision != ConvPrecision::fp32)
    throw Error(ErrorCode::unsupported, std::string("on the CPU, conv has fp32 alone, not ") + name(args.precision));
  if (args.out_elements() == 0) return;
  const Bands<T> bands(args);
#pragma omp parallel num_threads(stream.n_threads())
  {
    auto buffers = bands.make_buffers();
#pragma omp for schedule(static)
    for (std::int64_t band = 0; band < bands.n_bands(); ++band) bands.run(band, buffers);
  }
}};

}  // namespace rafter::conv_ladder::cpu
