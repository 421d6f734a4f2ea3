// constant_weights: one pixel of one map per thread, the kernels in constant memory, pixels through the caches.
// All threads of a warp read the same weight, which constant memory broadcasts: no tile of weights, no barrier.
// Limited by loads: each multiply-add still loads its pixel.
#include "conv/cuda/conv_unrolled.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

inline constexpr std::int64_t constant_bytes = 64 << 10;
static __constant__ unsigned char conv_constant[constant_bytes];

template <class T>
__global__ void conv_constant_weights(ConvArgs<T> args) {
  const auto* kernels = reinterpret_cast<const T*>(conv_constant);
  const ConvShape& shape = args.shape;
  const std::int64_t plane = args.n_pixels();
  const std::int64_t at = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (at >= plane) return;
  const std::int64_t m = blockIdx.y % shape.maps;
  const std::int64_t y = at / shape.out_width() - shape.pad_height;
  const std::int64_t x = at % shape.out_width() - shape.pad_width;
  for (std::int64_t b = blockIdx.z; b < shape.batch; b += gridDim.z) {
    const T* kernel = kernels + m * shape.kernel();
    float sum = 0;
    for (std::int64_t c = 0; c < shape.channels; ++c) {
      const T* pixels = args.in + (b * shape.channels + c) * shape.height * shape.width;
      for (std::int64_t p = y; p < y + shape.kernel_height; ++p) {
        for (std::int64_t q = x; q < x + shape.kernel_width; ++q, ++kernel) {
          if (p < 0 || p >= shape.height || q < 0 || q >= shape.width) continue;
          sum += core::widen(pixels[p * shape.width + q]) * core::widen(*kernel);
        }
      }
    }
    args.out[(b * shape.maps + m) * plane + at] = core::round_to<T>(sum);
  }
}

extern const ConvRung constant_weights{[]<class T>(const Stream& stream, ConvArgs<T> args) {
  require_plain(args, ConvPrecision::fp32);
  if (args.out_elements() == 0) return;
  const std::int64_t bytes = args.shape.maps * args.shape.kernel() * std::int64_t{sizeof(T)};
  if (bytes > constant_bytes || args.shape.maps > 65535)
    throw Error(ErrorCode::unsupported, "these kernels do not fit into 64 KiB of constant memory");
  core::set_constant(stream, conv_constant, args.kernels, bytes);
  constexpr int threads = 128;
  const core::Grid columns(ceil_div(args.n_pixels(), threads));
  core::launch(conv_constant_weights<T>,
               dim3(columns.blocks.x, static_cast<unsigned>(args.shape.maps),
                    static_cast<unsigned>(std::min<std::int64_t>(args.shape.batch, 65535))),
               threads, 0, stream, args);
}};

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
