// one_block: one block of 1024 threads strides over the whole array.
// Limited by one multiprocessor; all others idle.
#include "fill/fill_rung.hpp"
#include "library/core/cuda/launch.cuh"

namespace rafter::fill_ladder::RAFTER_BACKEND {

template <class T>
__global__ void fill_one_block(T* out, std::int64_t n, T value) {
  for (std::int64_t i = threadIdx.x; i < n; i += blockDim.x) out[i] = value;
}

extern const FillRung one_block{[]<class T>(const Stream& stream, FillArgs<T> args) {
  core::launch(fill_one_block<T>, 1, 1024, 0, stream, args.out.data(), std::ssize(args.out), args.value);
}};

}  // namespace rafter::fill_ladder::RAFTER_BACKEND
