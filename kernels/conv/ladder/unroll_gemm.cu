// unroll_gemm: unrolls the images to a matrix in memory, multiplies in tiles of 16 x 16, permutes the result to NCHW.
// Bound by memory: the matrix has kernel-height x kernel-width copies of every pixel, written once and read once, and
// the product is written and read once more. Sizes have 64 bits: LeNet's unrolled layers have over 2^31 elements.
#include "conv/cuda/conv_unrolled.cuh"
#include "library/core/stream/scratch.hpp"

namespace rafter::conv_ladder::RAFTER_BACKEND {

inline constexpr int gemm_side = 16;

template <class T>
__global__ void conv_gemm(const T* kernels, const float* matrix, std::int64_t n_maps, std::int64_t depth,
                          std::int64_t n_pixels, float* product) {
  __shared__ float left[gemm_side][gemm_side];
  __shared__ float right[gemm_side][gemm_side];
  const std::int64_t m = blockIdx.y * std::int64_t{gemm_side} + threadIdx.y;
  const std::int64_t i = blockIdx.x * std::int64_t{gemm_side} + threadIdx.x;
  float sum = 0;
  for (std::int64_t first = 0; first < depth; first += gemm_side) {
    const std::int64_t col = first + threadIdx.x;
    const std::int64_t row = first + threadIdx.y;
    left[threadIdx.y][threadIdx.x] = m < n_maps && col < depth ? core::widen(kernels[m * depth + col]) : 0.f;
    right[threadIdx.y][threadIdx.x] = row < depth && i < n_pixels ? matrix[row * n_pixels + i] : 0.f;
    __syncthreads();  // both tiles are written
    for (int k = 0; k < gemm_side; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();  // all threads have read them before they are overwritten
  }
  if (m < n_maps && i < n_pixels) product[m * n_pixels + i] = sum;
}

template <class T>
__global__ void conv_permute(ConvArgs<T> args, const float* product, std::int64_t n_pixels, std::int64_t n) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i < n) *output_of(args, i / n_pixels, i % n_pixels) = core::round_to<T>(product[i]);
}

extern const ConvRung unroll_gemm{[]<class T>(const Stream& stream, ConvArgs<T> args) {
  require_plain(args, ConvPrecision::fp32);
  if (args.out_elements() == 0) return;
  constexpr int threads = 256;
  const std::int64_t n_pixels = args.shape.batch * args.n_pixels();
  const std::int64_t depth = args.shape.kernel();
  const std::int64_t n_matrix = depth * n_pixels;
  const std::int64_t n_product = args.shape.maps * n_pixels;
  auto* matrix = reinterpret_cast<float*>(core::scratch(stream, (n_matrix + n_product) * std::int64_t{sizeof(float)}));
  float* product = matrix + n_matrix;
  run_unroll(stream, args, matrix);
  const core::Grid columns(ceil_div(n_pixels, gemm_side));
  core::launch(conv_gemm<T>, dim3(columns.blocks.x, static_cast<unsigned>(ceil_div(args.shape.maps, gemm_side))),
               dim3(gemm_side, gemm_side), 0, stream, args.kernels, matrix, args.shape.maps, depth, n_pixels, product);
  core::launch(conv_permute<T>, ceil_div(n_product, threads), threads, 0, stream, args, product, n_pixels, n_product);
}};

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
