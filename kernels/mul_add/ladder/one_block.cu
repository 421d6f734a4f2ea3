// one_block: one block of 1024 threads strides over the arrays.
// Ceiling: the loads of one multiprocessor; all others are idle.
#include "library/core/cuda/launch.cuh"
#include "mul_add/cuda/mul_add_element.cuh"
#include "mul_add/mul_add_rung.hpp"

namespace rafter::mul_add_ladder::RAFTER_BACKEND {

template <class T>
__global__ void mul_add_one_block(Factors<T> in, std::int64_t n, T* out) {
  for (std::int64_t i = threadIdx.x; i < n; i += blockDim.x) out[i] = multiply_add_elements(in.a[i], in.b[i], in.c[i]);
}

extern const MulAddRung one_block{[]<class T>(const Stream& stream, MulAddArgs<T> args) {
  core::launch(mul_add_one_block<T>, 1, 1024, 0, stream, args.in, std::ssize(args.out), args.out.data());
}};

}  // namespace rafter::mul_add_ladder::RAFTER_BACKEND
