// cudnn_nhwc: cuDNN on NHWC tensors, for which its tensor-core algorithms are designed. The copies to that layout and
// back are cuDNN's, and are part of the time.
#ifdef RAFTER_WITH_CUDNN
#include "conv/peers/cudnn_convolution.hpp"
#include "library/core/stream/scratch.hpp"

namespace rafter::conv_ladder::cuda {

extern const ConvRung cudnn_nhwc{[]<class T>(const Stream& stream, ConvArgs<T> args) {
  require_cudnn(args);
  if (args.out_elements() == 0) return;
  const ConvShape& shape = args.shape;
  const ConvShape kernels{
      .batch = shape.maps, .channels = shape.channels, .height = shape.kernel_height, .width = shape.kernel_width};
  const auto bytes = [](std::int64_t n) { return (n * std::int64_t{sizeof(T)} + 255) / 256 * 256; };
  const std::int64_t in_bytes = bytes(shape.batch * shape.image());
  const std::int64_t kernel_bytes = bytes(shape.maps * shape.kernel());
  const std::int64_t out_bytes = bytes(args.out_elements());
  std::byte* in = core::scratch(stream, in_bytes + kernel_bytes + out_bytes + cudnn_work_bytes);
  std::byte* weights = in + in_bytes;
  std::byte* out = weights + kernel_bytes;
  CudnnConvolution& nchw = cudnn_convolution(shape, cudnn_type<T>, args.precision, CUDNN_TENSOR_NCHW);
  CudnnConvolution& nhwc = cudnn_convolution(shape, cudnn_type<T>, args.precision, CUDNN_TENSOR_NHWC);
  CudnnConvolution& from = cudnn_convolution(kernels, cudnn_type<T>, args.precision, CUDNN_TENSOR_NCHW);
  CudnnConvolution& to = cudnn_convolution(kernels, cudnn_type<T>, args.precision, CUDNN_TENSOR_NHWC);
  nhwc.transform(stream, nchw.in_layout(), args.in, nhwc.in_layout(), in);
  nhwc.transform(stream, from.in_layout(), args.kernels, to.in_layout(), weights);
  nhwc.run(stream, in, weights, out, out + out_bytes, cudnn_work_bytes);
  nhwc.transform(stream, nhwc.out_layout(), out, nchw.out_layout(), args.out);
}};

}  // namespace rafter::conv_ladder::cuda
#endif
