// unrolled: block_tree with the loop over the levels unrolled; the last five levels run in one warp.
// The compiler unrolls block_tree's loop as well. The gain is the last five levels, which need a warp barrier instead
// of a block barrier. Still one 4-byte load per thread.
#include "library/core/cuda/reduce.cuh"
#include "sum/cuda/sum_repeated_launch.cuh"
#include "sum/sum_rung.hpp"

namespace rafter::sum_ladder::RAFTER_BACKEND {

template <class T>
__global__ void sum_unrolled(const T* in, std::int64_t n, T* partial) {
  __shared__ T tree[repeated_threads];
  const int t = static_cast<int>(threadIdx.x);
  const std::int64_t i = blockIdx.x * std::int64_t{repeated_threads} + t;
  tree[t] = i < n ? in[i] : T{0};
  __syncthreads();  // the leaves are complete
#pragma unroll
  for (int half = repeated_threads / 2; half >= core::warp_size; half /= 2) {
    if (t < half) tree[t] += tree[t + half];
    __syncthreads();  // this level is complete before the next one reads it
  }
  if (t >= core::warp_size) return;
#pragma unroll
  for (int half = core::warp_size / 2; half > 0; half /= 2) {
    if (t < half) tree[t] += tree[t + half];
    __syncwarp();  // this level is complete before the next one reads it
  }
  if (t == 0) partial[blockIdx.x] = tree[0];
}

extern const SumRung unrolled{[]<OwnFloat T>(const Stream& stream, SumArgs<T> args) {
  launch_until_one(sum_unrolled<T>, stream, args.in, args.out);
}};

}  // namespace rafter::sum_ladder::RAFTER_BACKEND
