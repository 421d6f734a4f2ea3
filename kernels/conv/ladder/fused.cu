// fused: one kernel; tiles of the unrolled matrix are built in shared memory, and results are stored in their final
// layout. No unrolled matrix is written or read. Limited by instructions: each element's address needs several
// divisions, and each multiply-add two loads from shared memory.
#include "conv/cuda/conv_unrolled.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

template <class T>
__global__ void conv_fused(ConvArgs<T> args) {
  constexpr int side = 16;
  __shared__ float left[side][side];
  __shared__ float right[side][side];
  const std::int64_t m = blockIdx.y * std::int64_t{side} + threadIdx.y;
  const std::int64_t i = blockIdx.x * std::int64_t{side} + threadIdx.x;
  const std::int64_t depth = args.shape.kernel();
  float sum = 0;
  for (std::int64_t first = 0; first < depth; first += side) {
    const std::int64_t col = first + threadIdx.x;
    left[threadIdx.y][threadIdx.x] =
        m < args.shape.maps && col < depth ? core::widen(args.kernels[m * depth + col]) : 0.f;
    right[threadIdx.y][threadIdx.x] = unrolled_element(args.in, args.shape, first + threadIdx.y, i);
    __syncthreads();  // both tiles are written
    for (int k = 0; k < side; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();  // all threads have read them before they are overwritten
  }
  if (m < args.shape.maps && i < args.shape.batch * args.n_pixels()) *output_of(args, m, i) = core::round_to<T>(sum);
}

extern const ConvRung fused{[]<class T>(const Stream& stream, ConvArgs<T> args) {
  require_plain(args, ConvPrecision::fp32);
  if (args.out_elements() == 0) return;
  const core::Grid columns(ceil_div(args.shape.batch * args.n_pixels(), 16));
  core::launch(conv_fused<T>, dim3(columns.blocks.x, static_cast<unsigned>(ceil_div(args.shape.maps, 16))),
               dim3(16, 16), 0, stream, args);
}};

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
