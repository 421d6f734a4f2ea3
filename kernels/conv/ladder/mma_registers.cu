// mma_registers: mma on float16 with all weights in registers, pixels directly from the image in shared memory.
// Bound by memory: an image is read once and its maps are written once; the tensor cores are busy a third of the time.
#include "conv/cuda/conv_mma_channels.cuh"
#include "conv/cuda/conv_mma_single.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

extern const ConvRung mma_registers{[]<class T>(const Stream& stream, ConvArgs<T> args) {
  require_plain(args, ConvPrecision::fp16);
  if (args.out_elements() == 0) return;
  const bool is_done =
      args.shape.kernel_height == 7 && args.shape.kernel_width == 7 &&
      (args.shape.channels == 1 ? run_mma_single<7, false>(stream, args) : run_mma_channels<7, false>(stream, args));
  if (!is_done) throw Error(ErrorCode::unsupported, "this rung supports kernels of 7 x 7 on up to 4 channels only");
}};

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
