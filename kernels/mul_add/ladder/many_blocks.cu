// many_blocks: one thread per element.
// All multiprocessors load. A thread has 12 bytes in flight and the 2048 threads of a multiprocessor 24 KiB, half of
// what hides the latency of memory.
#include "library/core/cuda/launch.cuh"
#include "mul_add/cuda/mul_add_element.cuh"
#include "mul_add/mul_add_rung.hpp"

namespace rafter::mul_add_ladder::RAFTER_BACKEND {

template <class T>
__global__ void mul_add_many_blocks(Factors<T> in, std::int64_t n, T* out) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i < n) out[i] = multiply_add_elements(in.a[i], in.b[i], in.c[i]);
}

extern const MulAddRung many_blocks{[]<class T>(const Stream& stream, MulAddArgs<T> args) {
  const std::int64_t n = std::ssize(args.out);
  core::launch(mul_add_many_blocks<T>, ceil_div(n, 256), 256, 0, stream, args.in, n, args.out.data());
}};

}  // namespace rafter::mul_add_ladder::RAFTER_BACKEND
