// many_blocks: one thread per element.
// All multiprocessors write; the 32 stores of a warp are one request of 128 bytes. Limited by instructions: a thread
// starts, computes its address and ends for 4 bytes.
#include "fill/fill_rung.hpp"
#include "library/core/cuda/launch.cuh"

namespace rafter::fill_ladder::RAFTER_BACKEND {

template <class T>
__global__ void fill_many_blocks(T* out, std::int64_t n, T value) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i < n) out[i] = value;
}

extern const FillRung many_blocks{[]<class T>(const Stream& stream, FillArgs<T> args) {
  const std::int64_t n = std::ssize(args.out);
  core::launch(fill_many_blocks<T>, ceil_div(n, 256), 256, 0, stream, args.out.data(), n, args.value);
}};

}  // namespace rafter::fill_ladder::RAFTER_BACKEND
