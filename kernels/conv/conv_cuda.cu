// by_shape: direct convolution for fp32; for the precisions of tensor cores, kernels of few channels with their weights
// in registers, or tiles of the implicit matrix product. Windows that lie in a thread's pixels are pooled in registers.
#include "conv/cuda/conv_direct.cuh"
#include "conv/cuda/conv_mma.cuh"
#include "conv/cuda/conv_pool.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

extern const ConvRung by_shape{[]<class T>(const Stream& stream, ConvArgs<T> args) {
  if (args.out_elements() == 0) return;
  const auto convolve = [&](const ConvArgs<T>& which) {
    which.precision == ConvPrecision::fp32 ? direct_convolution(stream, which) : mma_convolution(stream, which);
  };
  const bool pools_itself = args.pool.is_none() || (args.precision == ConvPrecision::fp32 && can_pool(args.pool, 4));
  pools_itself ? convolve(args) : convolve_and_pool(stream, args, convolve);
}};

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
