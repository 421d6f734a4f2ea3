// restrict_pointers: as warp_shuffle, with a promise that the arrays do not overlap.
// The compiler may then load through the read-only path and move loads over stores; with one load before the only store
// there is nothing to move, and the cache behind both paths is the same.
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

extern const SumRung restrict_pointers{[]<core::OwnAccumulator T>(const Stream& stream, SumArgs<T> args) {
  launch_until_one(sum_restrict_pointers<T>, stream, args.in, args.out);
}};

}  // namespace rafter::sum_ladder::RAFTER_BACKEND
