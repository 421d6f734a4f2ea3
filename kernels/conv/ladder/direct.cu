// direct: direct convolution in float32, maps x rows x pixels in registers, the image's tile in shared memory.
// Bound by instruction issue: 1568 of 2010 instructions per tile of 2 x 4 pixels x 4 maps are multiply-adds (ncu on an
// H200, LeNet's first layer; NOTES.md).
#include "conv/cuda/conv_direct.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

extern const ConvRung direct{[]<class T>(const Stream& stream, ConvArgs<T> args) {
  require_plain(args, ConvPrecision::fp32);
  direct_convolution(stream, args);
}};

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
