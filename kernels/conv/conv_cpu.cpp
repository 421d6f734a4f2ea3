// vectorised: bands of output rows are divided among the threads; blocks of outputs stay in registers (conv_simd.cpp),
// with pixels or maps in the lanes of vectors, whichever wastes fewer lanes. A band reads the image in place, or a copy
// as zero-padded floats, so that the loops need no edge tests and no other types. Bound by the multiply-add units.
#include <algorithm>
#include <vector>

#include "conv/conv_rung.hpp"
#include "conv/conv_simd.hpp"
#include "library/core/arithmetic.hpp"
#include "library/core/cpu/blocks.hpp"
#include "library/core/parts.hpp"

namespace rafter::conv_ladder::cpu {

namespace {

/// The contents of the lanes of vectors.
struct Plan {
  Lanes lanes;
  bool joins_rows;  // all rows are computed as one run, including the unused pixels between them
};

/// Returns the plan that wastes the fewest lanes. Joined rows are separated again in an extra pass; the factor 0.9 is a
/// heuristic for its cost.
Plan plan_for(const ConvShape& shape) {
  const ConvLoops& loops = conv_loops();
  const auto used = [](std::int64_t n, std::int64_t calculated) {
    return static_cast<double>(n) / static_cast<double>(calculated);
  };
  const auto maps_used = [&](Lanes lanes) {
    return used(shape.maps, ceil_div(shape.maps, group_maps(lanes)) * group_maps(lanes));
  };
  const std::int64_t width = shape.out_width();
  const double in_rows = used(width, loops.calculated(Lanes::pixels, width, shape.kernel_width));
  const double joined = 0.9 * used(width, shape.width + 2 * shape.pad_width);
  const double with_pixels = std::max(in_rows, joined) * maps_used(Lanes::pixels);
  const double with_maps =
      used(width, loops.calculated(Lanes::maps, width, shape.kernel_width)) * maps_used(Lanes::maps);
  if (with_maps >= with_pixels) return {Lanes::maps, false};
  return {Lanes::pixels, joined > in_rows};
}

/// The bands of one convolution; each thread has its own buffers.
template <class T>
class Bands {
 public:
  explicit Bands(const ConvArgs<T>& args)
      : args_(args),
        shape_(args.shape),
        plan_(plan_for(shape_)),
        group_(group_maps(plan_.lanes)),
        n_groups_(ceil_div(shape_.maps, group_)),
        out_height_(args.pool.out(shape_.out_height())),
        out_width_(args.pool.out(shape_.out_width())),
        band_rows_(
            std::clamp(band_sums / (shape_.out_width() * args.pool.stride * group_), std::int64_t{1}, out_height_)) {
    pack_weights();
  }

  std::int64_t n_bands() const { return shape_.batch * per_image(); }

  struct Buffers {
    std::vector<float> in, sums, out;
  };
  Buffers make_buffers() const {
    const std::int64_t n_rows = conv_rows(band_rows_);
    const auto floats = [](std::int64_t n) { return std::vector<float>(static_cast<std::size_t>(n)); };
    return {floats(shape_.channels * in_rows(band_rows_) * in_pitch() + read_slack),
            floats(group_ * n_rows * sums_pitch()), floats(is_float ? 0 : group_ * band_rows_ * out_width_)};
  }

  void run(std::int64_t band, Buffers& buffers) const {
    const std::int64_t image = band / per_image();
    const std::int64_t first = band % per_image() * band_rows_;  // pooled rows
    const std::int64_t n = std::min(band_rows_, out_height_ - first);
    const std::int64_t y0 = first * args_.pool.stride;
    const std::int64_t n_rows = std::min(conv_rows(n), shape_.out_height() - y0);
    ConvBand loop = rows_of(image, y0, in_rows(n), buffers.in);
    for (std::int64_t group = 0; group < n_groups_; ++group) {
      loop.kernels = kernels_.data() + group * group_ * shape_.kernel();
      loop.bias = bias_.data() + group * group_;
      loop.n_rows = n_rows;
      loop.width = shape_.out_width();
      const std::int64_t map = group * group_;
      T* to = args_.out + ((image * shape_.maps + map) * out_height_ + first) * out_width_;
      const std::int64_t n_maps = std::min(group_, shape_.maps - map);
      if constexpr (is_float) {
        calculate(loop, n, {to, out_width_, out_height_ * out_width_, n_maps}, buffers.sums.data());
      } else {
        calculate(loop, n, {buffers.out.data(), out_width_, n * out_width_, n_maps}, buffers.sums.data());
        for (std::int64_t m = 0; m < n_maps; ++m)
          core::round(buffers.out.data() + m * n * out_width_, n * out_width_, to + m * out_height_ * out_width_);
      }
    }
  }

 private:
  static constexpr bool is_float = std::is_same_v<T, float>;
  static constexpr std::int64_t band_sums = 4096;  // of all maps of a group: 16 KiB, which stay in the L1

  std::int64_t per_image() const { return ceil_div(out_height_, band_rows_); }
  std::int64_t conv_rows(std::int64_t n_pooled) const { return (n_pooled - 1) * args_.pool.stride + args_.pool.size; }
  std::int64_t in_rows(std::int64_t n_pooled) const { return conv_rows(n_pooled) + shape_.kernel_height - 1; }
  std::int64_t in_pitch() const { return shape_.width + 2 * shape_.pad_width; }
  std::int64_t sums_pitch() const {
    return plan_.joins_rows ? in_pitch()
                            : conv_loops().calculated(plan_.lanes, shape_.out_width(), shape_.kernel_width);
  }

  /// Packs the weights as [group][channel][tap][map], with zeros for missing maps, and the bias.
  void pack_weights() {
    const std::int64_t n = shape_.kernel();
    kernels_.resize(static_cast<std::size_t>(n_groups_ * group_ * n));
    bias_.resize(static_cast<std::size_t>(n_groups_ * group_));
    for (std::int64_t m = 0; m < shape_.maps; ++m) {
      float* to = kernels_.data() + m / group_ * group_ * n + m % group_;
      for (std::int64_t i = 0; i < n; ++i) to[i * group_] = static_cast<float>(args_.kernels[m * n + i]);
      if (args_.bias != nullptr) bias_[static_cast<std::size_t>(m)] = static_cast<float>(args_.bias[m]);
    }
  }

  /// Returns the input rows of a band: in place if they need no padding and the loops' reads past their end stay inside
  /// the array, else a padded copy.
  ConvBand rows_of(std::int64_t image, std::int64_t y0, std::int64_t n_rows, std::vector<float>& copy) const {
    ConvBand band{.in = copy.data(),
                  .in_pitch = in_pitch(),
                  .in_plane = n_rows * in_pitch(),
                  .channels = shape_.channels,
                  .kernel_height = shape_.kernel_height,
                  .kernel_width = shape_.kernel_width,
                  .kernels = nullptr,
                  .bias = nullptr,
                  .relu = args_.relu,
                  .n_rows = 0,
                  .width = 0};
    if constexpr (is_float) {
      const std::int64_t plane = shape_.height * shape_.width;
      const std::int64_t begin = image * shape_.image() + y0 * shape_.width;
      const std::int64_t end = begin + (shape_.channels - 1) * plane + n_rows * shape_.width;
      if (shape_.pad_height == 0 && shape_.pad_width == 0 && end + read_slack <= shape_.batch * shape_.image()) {
        band.in = args_.in + begin;
        band.in_plane = plane;
        return band;
      }
    }
    copy_rows(image, y0, n_rows, copy.data());
    return band;
  }

  void copy_rows(std::int64_t image, std::int64_t y0, std::int64_t n_rows, float* to) const {
    for (std::int64_t c = 0; c < shape_.channels; ++c) {
      const T* plane = args_.in + (image * shape_.channels + c) * shape_.height * shape_.width;
      for (std::int64_t row = 0; row < n_rows; ++row, to += in_pitch()) {
        const std::int64_t y = y0 + row - shape_.pad_height;
        std::fill_n(to, in_pitch(), 0.f);
        if (y < 0 || y >= shape_.height) continue;
        if constexpr (is_float) {
          std::copy_n(plane + y * shape_.width, shape_.width, to + shape_.pad_width);
        } else {
          core::widen(plane + y * shape_.width, shape_.width, to + shape_.pad_width);
        }
      }
    }
  }

  /// Computes `n` pooled rows of a group of maps.
  void calculate(ConvBand band, std::int64_t n, const ConvPlanes& out, float* sums) const {
    const ConvLoops& loops = conv_loops();
    const MaxPool& pool = args_.pool;
    const ConvWindows windows{band.n_rows, band.width, pool.size, pool.stride, n, out_width_, shape_.kernel_width};
    if (plan_.lanes == Lanes::maps) {
      loops.maps(band, sums, pool.is_none() ? out : ConvPlanes{});
      return loops.pool_maps(sums, windows, out);
    }
    if (pool.is_none() && !plan_.joins_rows) return loops.pixels(band, out);
    const ConvPlanes rows{sums, sums_pitch(), band.n_rows * sums_pitch(), out.n_maps};
    if (plan_.joins_rows) {
      band.width += (band.n_rows - 1) * band.in_pitch;
      band.n_rows = 1;
    }
    loops.pixels(band, rows);
    loops.pool_pixels(rows, windows, out);
  }

  const ConvArgs<T>& args_;
  const ConvShape& shape_;
  Plan plan_;
  std::int64_t group_;  // maps
  std::int64_t n_groups_;
  std::int64_t out_height_;
  std::int64_t out_width_;
  std::int64_t band_rows_;  // pooled rows of a band
  std::vector<float> kernels_;
  std::vector<float> bias_;
};

}  // namespace

extern const ConvRung vectorised{[]<class T>(const Stream& stream, ConvArgs<T> args) {
  if (args.precision != ConvPrecision::fp32)
    throw Error(ErrorCode::unsupported,
                std::string("conv: the CPU supports precision fp32 only, not ") + name(args.precision));
  if (args.out_elements() == 0) return;
  const Bands<T> bands(args);
  const int n_threads = core::threads_for(stream, bands.n_bands(), 1);
  core::for_parts(n_threads, bands.n_bands(), [&](std::int64_t first, std::int64_t last) {
    auto buffers = bands.make_buffers();
    for (std::int64_t band = first; band < last; ++band) bands.run(band, buffers);
  });
}};

}  // namespace rafter::conv_ladder::cpu
