// Convolution on tensor cores: chooses the kernel for few channels if the shape allows it, else the one for all shapes.
#pragma once

#include "conv/cuda/conv_mma_channels.cuh"
#include "conv/cuda/conv_mma_single.cuh"
#include "conv/cuda/conv_mma_tiles.cuh"
#include "conv/cuda/conv_pool.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

/// Runs a kernel for few channels, with all weights in registers and pooling in registers. Returns false, without a
/// launch, if none supports the shape.
template <bool Split, class T>
bool mma_in_registers(const Stream& stream, const ConvArgs<T>& args) {
  const ConvShape& shape = args.shape;
  const auto run = [&](auto side) {
    if (shape.channels == 1) return run_mma_single<side(), Split>(stream, args);
    return run_mma_channels<side(), Split>(stream, args);
  };
  if (shape.channels > 4 || shape.kernel_height != shape.kernel_width) return false;
  switch (shape.kernel_height) {
    case 3: return run(std::integral_constant<int, 3>{});
    case 5: return run(std::integral_constant<int, 5>{});
    case 7: return run(std::integral_constant<int, 7>{});
    default: return false;
  }
}

/// Runs a convolution of any shape in one of the tensor cores' precisions.
template <class T>
void mma_convolution(const Stream& stream, const ConvArgs<T>& args) {
  const bool is_split = args.precision == ConvPrecision::split_fp16;
  if (args.precision != ConvPrecision::tf32 && can_pool(args.pool)) {
    if (is_split ? mma_in_registers<true>(stream, args) : mma_in_registers<false>(stream, args)) return;
  }
  convolve_and_pool(stream, args, [&](const ConvArgs<T>& before) {
    switch (args.precision) {
      case ConvPrecision::fp32: throw Error(ErrorCode::unsupported, "tensor cores do not support precision fp32");
      case ConvPrecision::tf32: return run_mma_tiles<ConvPrecision::tf32>(stream, before);
      case ConvPrecision::fp16: return run_mma_tiles<ConvPrecision::fp16>(stream, before);
      case ConvPrecision::split_fp16: return run_mma_tiles<ConvPrecision::split_fp16>(stream, before);
    }
  });
}

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
