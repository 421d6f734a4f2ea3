// many_blocks: one thread per element.
// All multiprocessors load, but a thread has at most two elements in flight: the 2048 threads of a multiprocessor have
// 8 KiB of float16 or 16 KiB of floats, where 48 KiB hide the latency of memory.
#include "elementwise/cuda/elementwise_element.cuh"
#include "elementwise/elementwise_rung.hpp"
#include "library/core/cuda/launch.cuh"

namespace rafter::elementwise_ladder::RAFTER_BACKEND {

template <class Map>
__global__ void map_many_blocks(Map map, std::int64_t n, typename Map::Out* out) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i < n) compute_one(map, i, out);
}

extern const ElementwiseRung many_blocks{[]<class Map>(const Stream& stream, ElementwiseArgs<Map> args) {
  const std::int64_t n = std::ssize(args.out);
  core::launch(map_many_blocks<Map>, ceil_div(n, 256), 256, 0, stream, args.map, n, args.out.data());
}};

}  // namespace rafter::elementwise_ladder::RAFTER_BACKEND
