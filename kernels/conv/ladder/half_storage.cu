// half_storage: swept, with tiles of float16 in shared memory.
// Half the bytes of shared memory, but two more conversions per multiply-add, which limit it: float16 only pays off
// with float16 products, on tensor cores.
#include "conv/cuda/conv_tiles.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

extern const ConvRung half_storage{[]<class T>(const Stream& stream, ConvArgs<T> args) {
  require_plain(args, ConvPrecision::fp16);
  run_swept_tiles<Half>(stream, args);
}};

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
