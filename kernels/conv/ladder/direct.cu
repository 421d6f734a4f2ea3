// direct: direct convolution in float32, maps x rows x pixels in registers, the image's tile in shared memory.
// Bound by the fp32 units: in conv_direct.cuh's tile 19 of 20 instructions are multiply-adds.
#include "conv/cuda/conv_direct.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

extern const ConvRung direct{[]<class T>(const Stream& stream, ConvArgs<T> args) {
  require_plain(args, ConvPrecision::fp32);
  direct_convolution(stream, args);
}};

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
