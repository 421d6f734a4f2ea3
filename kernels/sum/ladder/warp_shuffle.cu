// warp_shuffle: block_tree with warps that add through registers.
// Five shuffles replace five levels of the tree and their barriers; one barrier is left. Still one load per thread.
#include "library/core/cuda/reduce.cuh"
#include "sum/cuda/sum_repeated_launch.cuh"
#include "sum/sum_rung.hpp"

namespace rafter::sum_ladder::RAFTER_BACKEND {

template <class T>
__global__ void sum_warp_shuffle(const T* in, std::int64_t n, T* partial) {
  __shared__ core::BlockSumStorage<T, repeated_threads> storage;
  const std::int64_t i = blockIdx.x * std::int64_t{repeated_threads} + threadIdx.x;
  const T total = core::block_sum(i < n ? in[i] : T{0}, storage);
  if (threadIdx.x == 0) partial[blockIdx.x] = total;
}

extern const SumRung warp_shuffle{[]<OwnFloat T>(const Stream& stream, SumArgs<T> args) {
  launch_until_one(sum_warp_shuffle<T>, stream, args.in, args.out);
}};

}  // namespace rafter::sum_ladder::RAFTER_BACKEND
