// by_shape: direct convolution for fp32, or Winograd's for 3 x 3 kernels on many channels; for the precisions of tensor
// cores, kernels of few channels with their weights in registers, or tiles of the implicit matrix product. Windows of
// 2 x 2 and 4 x 4 are pooled in registers.
#include "conv/cuda/conv_direct.cuh"
#include "conv/cuda/conv_mma.cuh"
#include "conv/cuda/conv_winograd.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

/// Blocks of 64 maps and chunks of 8 channels should be filled well enough. It was timed for 64 and 256 of both alone.
template <class T>
bool pays_winograd(const ConvArgs<T>& args) {
  return can_winograd(args) && args.shape.channels >= 16 && args.shape.maps >= 32;
}

/// tf32 allows rounded factors and does not ask for them: where the tensor cores would have little to do, fp32 is
/// faster.
template <class T>
bool goes_direct(const ConvArgs<T>& args) {
  return args.precision == ConvPrecision::fp32 ||
         (args.precision == ConvPrecision::tf32 && (args.shape.channels <= 4 || args.shape.maps <= 8));
}

extern const ConvRung by_shape{[]<class T>(const Stream& stream, ConvArgs<T> args) {
  if (args.out_elements() == 0) return;
  if (pays_winograd(args)) return run_winograd(stream, args);
  goes_direct(args) ? direct_convolution(stream, args) : mma_convolution(stream, args);
}};

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
