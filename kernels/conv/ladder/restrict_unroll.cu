// restrict_unroll: fused, with __restrict__ pointers and an unrolled loop.
// Loads of the weights may use the read-only path, and the sixteen steps of a tile need no counter. Today's compiler
// does both by default: README.md has the times. Limited like fused.
#include "conv/cuda/conv_unrolled.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

template <class T>
__global__ void conv_restrict_unroll(const T* __restrict__ in, const T* __restrict__ kernels, ConvShape shape,
                                     T* __restrict__ out) {
  constexpr int side = 16;
  __shared__ float left[side][side];
  __shared__ float right[side][side];
  const std::int64_t m = blockIdx.y * std::int64_t{side} + threadIdx.y;
  const std::int64_t i = blockIdx.x * std::int64_t{side} + threadIdx.x;
  const std::int64_t depth = shape.kernel();
  float sum = 0;
  for (std::int64_t first = 0; first < depth; first += side) {
    const std::int64_t col = first + threadIdx.x;
    left[threadIdx.y][threadIdx.x] = m < shape.maps && col < depth ? core::widen(kernels[m * depth + col]) : 0.f;
    right[threadIdx.y][threadIdx.x] = unrolled_element(in, shape, first + threadIdx.y, i);
    __syncthreads();  // both tiles are written
#pragma unroll
    for (int k = 0; k < side; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();  // all threads have read them before they are overwritten
  }
  const std::int64_t plane = shape.out_height() * shape.out_width();
  if (m < shape.maps && i < shape.batch * plane)
    out[(i / plane * shape.maps + m) * plane + i % plane] = core::round_to<T>(sum);
}

extern const ConvRung restrict_unroll{[]<class T>(const Stream& stream, ConvArgs<T> args) {
  require_plain(args, ConvPrecision::fp32);
  if (args.out_elements() == 0) return;
  const core::Grid columns(ceil_div(args.shape.batch * args.n_pixels(), 16));
  core::launch(conv_restrict_unroll<T>, dim3(columns.blocks.x, static_cast<unsigned>(ceil_div(args.shape.maps, 16))),
               dim3(16, 16), 0, stream, args.in, args.kernels, args.shape, args.out);
}};

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
