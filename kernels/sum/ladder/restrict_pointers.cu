// restrict_pointers: warp_shuffle with __restrict__ pointers, which promise that the arrays do not overlap.
// The compiler may then use read-only loads and move loads across stores. With one load before the only store there is
// nothing to move, and both kinds of load use the same cache.
#include "library/core/cuda/reduce.cuh"
#include "sum/cuda/sum_repeated_launch.cuh"
#include "sum/sum_rung.hpp"

namespace rafter::sum_ladder::RAFTER_BACKEND {

template <class T>
__global__ void sum_restrict_pointers(const T* __restrict__ in, std::int64_t n, T* __restrict__ partial) {
  __shared__ core::BlockSumStorage<T, repeated_threads> storage;
  const std::int64_t i = blockIdx.x * std::int64_t{repeated_threads} + threadIdx.x;
  const T total = core::block_sum(i < n ? in[i] : T{0}, storage);
  if (threadIdx.x == 0) partial[blockIdx.x] = total;
}

extern const SumRung restrict_pointers{[]<OwnFloat T>(const Stream& stream, SumArgs<T> args) {
  launch_until_one(sum_restrict_pointers<T>, stream, args.in, args.out);
}};

}  // namespace rafter::sum_ladder::RAFTER_BACKEND
