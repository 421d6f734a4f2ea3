// atomic: out = sum of in[0, n). Every thread adds its element to the one result.
// Ceiling: all atomics go to one L2 address, which completes about one per clock; DRAM is idle.
#include "library/core/cuda/launch.cuh"
#include "sum/sum_rung.hpp"

namespace rafter::sum_ladder::RAFTER_BACKEND {

template <class T>
__global__ void sum_atomic(const T* in, std::int64_t n, T* out) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i < n) atomicAdd(out, in[i]);
}

template <class T>
__global__ void set_zero(T* out) {
  *out = 0;
}

extern const SumRung atomic{[]<OwnFloat T>(const Stream& stream, SumArgs<T> args) {
  const std::int64_t n = std::ssize(args.in);
  core::launch(set_zero<T>, 1, 1, 0, stream, args.out);
  core::launch(sum_atomic<T>, ceil_div(n, 1024), 1024, 0, stream, args.in.data(), n, args.out);
}};

}  // namespace rafter::sum_ladder::RAFTER_BACKEND
