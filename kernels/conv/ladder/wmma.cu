// wmma: tiles of the kernels and of the unrolled matrix as float16, multiplied on tensor cores through WMMA's
// fragments. The products cost almost nothing. Limited by building the unrolled tile: every pixel is loaded, rounded
// and stored kernel-height x kernel-width times.
#include <mma.h>

#include "conv/cuda/conv_unrolled.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

struct WmmaTile {
  static constexpr int side = 16;  // maps, pixels and depth of a fragment
  static constexpr int warps = 4;
  static constexpr int threads = 32 * warps;
  static constexpr int pixels = side * warps;
};

template <class T>
__global__ void __launch_bounds__(WmmaTile::threads) conv_wmma(ConvArgs<T> args) {
  namespace wmma = nvcuda::wmma;
  constexpr int side = WmmaTile::side;
  __shared__ __align__(32) __half left[side][side];
  __shared__ __align__(32) __half right[side][WmmaTile::pixels];
  __shared__ __align__(32) float sums[side][WmmaTile::pixels];
  const ConvShape& shape = args.shape;
  const std::int64_t first_map = blockIdx.y * std::int64_t{side};
  const std::int64_t first_pixel = blockIdx.x * std::int64_t{WmmaTile::pixels};
  const std::int64_t depth = shape.kernel();
  const int thread = static_cast<int>(threadIdx.x);
  const int warp_pixel = thread / 32 * side;

  wmma::fragment<wmma::accumulator, side, side, side, float> product;
  wmma::fill_fragment(product, 0.f);
  for (std::int64_t first = 0; first < depth; first += side) {
    if (first > 0) __syncthreads();  // all warps have read the previous tiles
    for (int i = thread; i < side * side; i += WmmaTile::threads) {
      const std::int64_t m = first_map + i / side;
      const std::int64_t k = first + i % side;
      left[i / side][i % side] =
          __float2half(m < shape.maps && k < depth ? core::widen(args.kernels[m * depth + k]) : 0.f);
    }
    for (int i = thread; i < side * WmmaTile::pixels; i += WmmaTile::threads) {
      const int col = i % WmmaTile::pixels;
      right[i / WmmaTile::pixels][col] =
          __float2half(unrolled_element(args.in, shape, first + i / WmmaTile::pixels, first_pixel + col));
    }
    __syncthreads();  // both tiles are written
    wmma::fragment<wmma::matrix_a, side, side, side, __half, wmma::row_major> weights;
    wmma::fragment<wmma::matrix_b, side, side, side, __half, wmma::row_major> pixels;
    wmma::load_matrix_sync(weights, &left[0][0], side);
    wmma::load_matrix_sync(pixels, &right[0][warp_pixel], WmmaTile::pixels);
    wmma::mma_sync(product, weights, pixels, product);
  }
  wmma::store_matrix_sync(&sums[0][warp_pixel], product, WmmaTile::pixels, wmma::mem_row_major);
  __syncthreads();  // all sums are written
  for (int i = thread; i < side * WmmaTile::pixels; i += WmmaTile::threads) {
    const std::int64_t m = first_map + i / WmmaTile::pixels;
    const std::int64_t at = first_pixel + i % WmmaTile::pixels;
    if (m < shape.maps && at < shape.batch * args.n_pixels())
      *output_of(args, m, at) = core::round_to<T>(sums[i / WmmaTile::pixels][i % WmmaTile::pixels]);
  }
}

extern const ConvRung wmma{[]<class T>(const Stream& stream, ConvArgs<T> args) {
  require_plain(args, ConvPrecision::fp16);
  if (args.out_elements() == 0) return;
  const core::Grid columns(ceil_div(args.shape.batch * args.n_pixels(), WmmaTile::pixels));
  core::launch(conv_wmma<T>, dim3(columns.blocks.x, static_cast<unsigned>(ceil_div(args.shape.maps, WmmaTile::side))),
               WmmaTile::threads, 0, stream, args);
}};

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
