// cudnn: NVIDIA's cuDNN on NCHW tensors in place, with its fastest algorithm.
#ifdef RAFTER_WITH_CUDNN
#include "conv/peers/cudnn_convolution.hpp"
#include "library/core/stream/scratch.hpp"

namespace rafter::conv_ladder::cuda {

extern const ConvRung cudnn{[]<class T>(const Stream& stream, ConvArgs<T> args) {
  require_cudnn(args);
  if (args.out_elements() == 0) return;
  cudnn_convolution(args.shape, cudnn_type<T>, args.precision, CUDNN_TENSOR_NCHW)
      .run(stream, args.in, args.kernels, args.out, core::scratch(stream, cudnn_work_bytes), cudnn_work_bytes);
}};

}  // namespace rafter::conv_ladder::cuda
#endif
