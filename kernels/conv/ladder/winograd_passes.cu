// winograd_passes: F(2x2,3x3) step by step through memory: transform kernels and inputs, 16 matrix products, transform
// the sums. Bound by memory: the 4 x 4 patches overlap, so there are 4 times as many transformed inputs, written once
// and read once per block of maps; the products are as many again.
#include "conv/conv_rung.hpp"
#include "conv/cuda/conv_winograd.cuh"
#include "library/core/stream/scratch.hpp"

namespace rafter::conv_ladder::RAFTER_BACKEND {

/// The matrices in memory: kernels [16][maps][channels], inputs [16][channels][tiles], sums [16][maps][tiles].
struct WinogradMatrices {
  std::int64_t n_maps, n_channels, n_tiles;
  float *kernels, *inputs, *sums;
};

template <class T>
__global__ void winograd_transform_kernels(ConvArgs<T> args, WinogradMatrices to) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  const std::int64_t n = to.n_maps * to.n_channels;
  if (i >= n) return;
  float g[3][3];
  for (int k = 0; k < 9; ++k) g[k / 3][k % 3] = core::widen(args.kernels[i * 9 + k]);
  float transformed[4][4];
  winograd_kernel(g, transformed);
  for (int k = 0; k < Winograd::products; ++k) to.kernels[k * n + i] = transformed[k / 4][k % 4];
}

template <class T>
__global__ void winograd_transform_inputs(ConvArgs<T> args, WinogradPlan plan, WinogradMatrices to) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  const std::int64_t n = to.n_channels * to.n_tiles;
  if (i >= n) return;
  WinogradPatch<T> patch(args, plan, static_cast<int>(i % to.n_tiles), static_cast<int>(i / to.n_tiles));
  float d[4][4];
  patch.load(d);
  float transformed[4][4];
  winograd_input(d, transformed);
  for (int k = 0; k < Winograd::products; ++k) to.inputs[k * n + i] = transformed[k / 4][k % 4];
}

/// The side of a tile of the matrix product. Product blockIdx.z: [64 maps][64 tiles] per block, 4 x 4 sums for each of
/// 16 x 16 threads.
inline constexpr int winograd_side = 64;
__global__ void winograd_products(WinogradMatrices matrices) {
  constexpr int depth = 16;
  __shared__ float left[depth][winograd_side + 1];
  __shared__ float right[depth][winograd_side];
  const std::int64_t n_tiles = matrices.n_tiles;
  const std::int64_t n_channels = matrices.n_channels;
  const std::int64_t first_map = blockIdx.y * std::int64_t{winograd_side};
  const std::int64_t first_tile = blockIdx.x * std::int64_t{winograd_side};
  const float* kernels = matrices.kernels + blockIdx.z * matrices.n_maps * n_channels;
  const float* inputs = matrices.inputs + blockIdx.z * n_channels * n_tiles;
  const int thread = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
  const auto n_threads = static_cast<int>(blockDim.x * blockDim.y);
  float sums[4][4] = {};
  for (std::int64_t first = 0; first < n_channels; first += depth) {
    for (int i = thread; i < winograd_side * depth; i += n_threads) {
      const std::int64_t m = first_map + i / depth;
      const std::int64_t c = first + i % depth;
      left[i % depth][i / depth] = m < matrices.n_maps && c < n_channels ? kernels[m * n_channels + c] : 0.f;
      const std::int64_t row = first + i / winograd_side;
      const std::int64_t tile = first_tile + i % winograd_side;
      right[i / winograd_side][i % winograd_side] =
          row < n_channels && tile < n_tiles ? inputs[row * n_tiles + tile] : 0.f;
    }
    __syncthreads();  // both tiles are written
    for (int k = 0; k < depth; ++k) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) sums[i][j] += left[k][threadIdx.y * 4 + i] * right[k][threadIdx.x + j * 16];
      }
    }
    __syncthreads();  // all threads have read them before they are overwritten
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      const std::int64_t m = first_map + threadIdx.y * 4 + i;
      const std::int64_t tile = first_tile + threadIdx.x + j * 16;
      if (m < matrices.n_maps && tile < n_tiles)
        matrices.sums[(blockIdx.z * matrices.n_maps + m) * n_tiles + tile] = sums[i][j];
    }
  }
}

template <class T>
__global__ void winograd_transform_sums(ConvArgs<T> args, WinogradPlan plan, WinogradMatrices from) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  const std::int64_t n = from.n_maps * from.n_tiles;
  if (i >= n) return;
  float sums[4][4];
  for (int k = 0; k < Winograd::products; ++k) sums[k / 4][k % 4] = from.sums[k * n + i];
  float outputs[2][2];
  winograd_output(sums, outputs);
  const WinogradTile at(plan, static_cast<int>(i % from.n_tiles));
  store_winograd_tile(args, plan, at, static_cast<int>(i / from.n_tiles), outputs);
}

extern const ConvRung winograd_passes{[]<class T>(const Stream& stream, ConvArgs<T> args) {
  require_winograd(args);
  if (args.out_elements() == 0) return;
  const WinogradPlan plan = winograd_plan(args);
  WinogradMatrices matrices{args.shape.maps, args.shape.channels, plan.n_tiles, nullptr, nullptr, nullptr};
  const std::int64_t n_kernels = matrices.n_maps * matrices.n_channels;
  const std::int64_t n_inputs = matrices.n_channels * matrices.n_tiles;
  const std::int64_t n_sums = matrices.n_maps * matrices.n_tiles;
  constexpr auto matrix_bytes = std::int64_t{sizeof(float)} * Winograd::products;
  matrices.kernels = reinterpret_cast<float*>(core::scratch(stream, matrix_bytes * (n_kernels + n_inputs + n_sums)));
  matrices.inputs = matrices.kernels + Winograd::products * n_kernels;
  matrices.sums = matrices.inputs + Winograd::products * n_inputs;

  constexpr int threads = 256;
  core::launch(winograd_transform_kernels<T>, ceil_div(n_kernels, threads), threads, 0, stream, args, matrices);
  core::launch(winograd_transform_inputs<T>, ceil_div(n_inputs, threads), threads, 0, stream, args, plan, matrices);
  const dim3 blocks(static_cast<unsigned>(ceil_div(matrices.n_tiles, winograd_side)),
                    static_cast<unsigned>(ceil_div(matrices.n_maps, winograd_side)), Winograd::products);
  core::launch(winograd_products, blocks, dim3(16, 16), 0, stream, matrices);
  core::launch(winograd_transform_sums<T>, ceil_div(n_sums, threads), threads, 0, stream, args, plan, matrices);
}};

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
