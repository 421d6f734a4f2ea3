// by_shape: direct convolution for fp32, or Winograd's for 3 x 3 kernels on many channels; for the precisions of tensor
// cores, kernels of few channels with their weights in registers, or tiles of the implicit matrix product. Windows that
// lie in a thread's pixels are pooled in registers.
#include "conv/cuda/conv_direct.cuh"
#include "conv/cuda/conv_mma.cuh"
#include "conv/cuda/conv_pool.cuh"
#include "conv/cuda/conv_winograd.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

/// Blocks of 64 maps and chunks of 8 channels should be filled well enough.
template <class T>
bool pays_winograd(const ConvArgs<T>& args) {
  return can_winograd(args) && args.shape.channels >= 16 && args.shape.maps >= 32;
}

extern const ConvRung by_shape{[]<class T>(const Stream& stream, ConvArgs<T> args) {
  if (args.out_elements() == 0) return;
  if (pays_winograd(args)) return run_winograd(stream, args);
  const auto convolve = [&](const ConvArgs<T>& which) {
    which.precision == ConvPrecision::fp32 ? direct_convolution(stream, which) : mma_convolution(stream, which);
  };
  const bool pools_itself = args.pool.is_none() || (args.precision == ConvPrecision::fp32 && can_pool(args.pool, 4));
  pools_itself ? convolve(args) : convolve_and_pool(stream, args, convolve);
}};

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
