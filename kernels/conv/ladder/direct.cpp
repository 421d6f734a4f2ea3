// direct: the definition, loop by loop, on one thread.
// Limited by latency: each multiply-add of an output waits for the previous one, and pixels are loaded again for every
// map.
#include "conv/conv_rung.hpp"
#include "library/core/dtype.hpp"

namespace rafter::conv_ladder::cpu {

extern const ConvRung direct{[]<class T>(const Stream&, ConvArgs<T> args) {
  require_plain(args, ConvPrecision::fp32);
  const ConvShape& shape = args.shape;
  T* out = args.out;
  for (std::int64_t b = 0; b < shape.batch; ++b) {
    for (std::int64_t m = 0; m < shape.maps; ++m) {
      for (std::int64_t y = 0; y < shape.out_height(); ++y) {
        for (std::int64_t x = 0; x < shape.out_width(); ++x) {
          float sum = 0;
          for (std::int64_t c = 0; c < shape.channels; ++c) {
            const T* plane = args.in + (b * shape.channels + c) * shape.height * shape.width;
            const T* kernel = args.kernels + (m * shape.channels + c) * shape.kernel_height * shape.kernel_width;
            for (std::int64_t p = 0; p < shape.kernel_height; ++p) {
              for (std::int64_t q = 0; q < shape.kernel_width; ++q) {
                const std::int64_t in_y = y + p - shape.pad_height;
                const std::int64_t in_x = x + q - shape.pad_width;
                if (in_y < 0 || in_y >= shape.height || in_x < 0 || in_x >= shape.width) continue;
                sum += static_cast<float>(plane[in_y * shape.width + in_x]) *
                       static_cast<float>(kernel[p * shape.kernel_width + q]);
              }
            }
          }
          *out++ = static_cast<T>(sum);
        }
      }
    }
  }
}};

}  // namespace rafter::conv_ladder::cpu
