// block_tree: each block sums 1024 elements as a tree in shared memory; the kernel is launched until one number is
// left.
// No atomics, so memory is the limit. But half of the threads idle after the first level, every level needs a barrier,
// and each thread has only one 4-byte load in flight.
#include "sum/cuda/sum_repeated_launch.cuh"
#include "sum/sum_rung.hpp"

namespace rafter::sum_ladder::RAFTER_BACKEND {

template <class T>
__global__ void sum_block_tree(const T* in, std::int64_t n, T* partial) {
  __shared__ T tree[repeated_threads];
  const int t = static_cast<int>(threadIdx.x);
  const std::int64_t i = blockIdx.x * std::int64_t{repeated_threads} + t;
  tree[t] = i < n ? in[i] : T{0};
  __syncthreads();  // the leaves are complete
  for (int half = repeated_threads / 2; half > 0; half /= 2) {
    if (t < half) tree[t] += tree[t + half];
    __syncthreads();  // this level is complete before the next one reads it
  }
  if (t == 0) partial[blockIdx.x] = tree[0];
}

extern const SumRung block_tree{[]<OwnFloat T>(const Stream& stream, SumArgs<T> args) {
  launch_until_one(sum_block_tree<T>, stream, args.in, args.out);
}};

}  // namespace rafter::sum_ladder::RAFTER_BACKEND
