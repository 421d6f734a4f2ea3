// half_storage: swept, with tiles of float16 in shared memory.
// Half the bytes of shared memory for the same multiply-adds, and two conversions more for each: float16 pays where its
// products do, on tensor cores.
#include "conv/cuda/conv_tiles.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

extern const ConvRung half_storage{[]<class T>(const Stream& stream, ConvArgs<T> args) {
  require_plain(args, ConvPrecision::fp16);
  run_swept_tiles<Half>(stream, args);
}};

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
