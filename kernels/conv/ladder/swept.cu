// swept: fused, with the tile's sides and the outputs per thread that were best in a sweep.
// A weight or pixel from shared memory serves several multiply-adds, and a pixel's position is computed once. Limited
// by building the unrolled tile.
#include "conv/cuda/conv_tiles.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

extern const ConvRung swept{[]<class T>(const Stream& stream, ConvArgs<T> args) {
  require_plain(args, ConvPrecision::fp32);
  run_swept_tiles<float>(stream, args);
}};

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
