// blocked: a row of outputs stays in the L1 during the loop over all taps, on one thread.
// The inner loop runs along x: independent additions that the compiler vectorises. Limited by loads and stores: each
// multiply-add loads and stores its sum.
#include <algorithm>
#include <vector>

#include "conv/conv_rung.hpp"

namespace rafter::conv_ladder::cpu {

namespace {

/// Computes sums[x] += weight * pixels[x + q - pad] for all x whose pixel is inside the image.
template <class T>
void add_tap(const ConvShape& shape, const T* pixels, std::int64_t q, float weight, float* sums) {
  const std::int64_t shift = q - shape.pad_width;
  const std::int64_t first = std::max<std::int64_t>(0, -shift);
  const std::int64_t last = std::min(shape.out_width(), shape.width - shift);
  for (std::int64_t x = first; x < last; ++x) sums[x] += weight * static_cast<float>(pixels[x + shift]);
}

}  // namespace

extern const ConvRung blocked{[]<class T>(const Stream&, ConvArgs<T> args) {
  require_plain(args, ConvPrecision::fp32);
  const ConvShape& shape = args.shape;
  std::vector<float> sums(static_cast<std::size_t>(shape.out_width()));
  T* out = args.out;
  for (std::int64_t plane = 0; plane < shape.batch * shape.maps; ++plane) {
    const T* image = args.in + plane / shape.maps * shape.image();
    const T* kernel = args.kernels + plane % shape.maps * shape.kernel();
    for (std::int64_t y = 0; y < shape.out_height(); ++y) {
      std::fill(sums.begin(), sums.end(), 0.f);
      for (std::int64_t c = 0; c < shape.channels; ++c) {
        for (std::int64_t p = 0; p < shape.kernel_height; ++p) {
          const std::int64_t in_y = y + p - shape.pad_height;
          if (in_y < 0 || in_y >= shape.height) continue;
          const T* pixels = image + (c * shape.height + in_y) * shape.width;
          for (std::int64_t q = 0; q < shape.kernel_width; ++q) {
            const T weight = kernel[(c * shape.kernel_height + p) * shape.kernel_width + q];
            add_tap(shape, pixels, q, static_cast<float>(weight), sums.data());
          }
        }
      }
      out = std::transform(sums.begin(), sums.end(), out, [](float sum) { return static_cast<T>(sum); });
    }
  }
}};

}  // namespace rafter::conv_ladder::cpu
