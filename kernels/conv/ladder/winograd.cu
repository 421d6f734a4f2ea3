// winograd: F(2x2,3x3) in one kernel, 4 multiply-adds instead of the definition's 9.
// Bound by the fp32 units; the additions of the transforms are a tenth of all operations for 64 maps.
#include "conv/cuda/conv_winograd.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

extern const ConvRung winograd{[]<class T>(const Stream& stream, ConvArgs<T> args) {
  require_winograd(args);
  run_winograd(stream, args);
}};

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
