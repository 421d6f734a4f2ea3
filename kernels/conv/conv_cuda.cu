// by_shape: chooses a kernel by shape and precision. fp32: direct convolution, or Winograd's algorithm for 3 x 3
// kernels on many channels. tf32, fp16, split_fp16: tensor cores, with all weights in registers for few channels, or
// tiles of the implicit matrix product. Windows of 2 x 2 and 4 x 4 are pooled in registers. Each kernel's file states
// what limits it.
#include "conv/conv_tunables.hpp"
#include "conv/cuda/conv_direct.cuh"
#include "conv/cuda/conv_mma.cuh"
#include "conv/cuda/conv_winograd.cuh"
#include "library/core/cuda/policy.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

/// Whether the blocks of 64 maps and the chunks of 8 channels of Winograd's kernel are filled well enough.
template <class T>
bool prefers_winograd(const ConvArgs<T>& args) {
  return can_winograd(args) && args.shape.channels >= core::tuned(winograd_channels) &&
         args.shape.maps >= core::tuned(winograd_maps);
}

/// Whether the direct kernel is used. tf32 allows rounded factors but does not require them: where the tensor cores
/// would have little work, fp32 is faster.
template <class T>
bool prefers_direct(const ConvArgs<T>& args) {
  return args.precision == ConvPrecision::fp32 ||
         (args.precision == ConvPrecision::tf32 &&
          (args.shape.channels <= tf32_direct_channels || args.shape.maps <= tf32_direct_maps));
}

extern const ConvRung by_shape{[]<class T>(const Stream& stream, ConvArgs<T> args) {
  if (args.out_elements() == 0) return;
  if (prefers_winograd(args)) return run_winograd(stream, args);
  prefers_direct(args) ? direct_convolution(stream, args) : mma_convolution(stream, args);
}};

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
