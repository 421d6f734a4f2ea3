// The unrolled (im2col) matrix, [channels * kernel rows * kernel columns][pixels of all images]. A convolution is the
// product of the kernels, [maps][channels * kernel rows * kernel columns], with it.
#pragma once

#include "conv/conv_rung.hpp"
#include "library/core/cuda/convert.cuh"
#include "library/core/cuda/launch.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

/// The matrix element in row k and column i; 0 past the edges.
template <class T>
__device__ __forceinline__ float unrolled_element(const T* in, const ConvShape& shape, std::int64_t k, std::int64_t i) {
  const std::int64_t width = shape.out_width();
  const std::int64_t plane = shape.out_height() * width;
  const std::int64_t taps = shape.kernel_height * shape.kernel_width;
  if (k >= shape.kernel() || i >= shape.batch * plane) return 0;
  const std::int64_t y = i % plane / width + k % taps / shape.kernel_width - shape.pad_height;
  const std::int64_t x = i % width + k % shape.kernel_width - shape.pad_width;
  if (y < 0 || y >= shape.height || x < 0 || x >= shape.width) return 0;
  return core::widen(in[(i / plane * shape.channels + k / taps) * shape.height * shape.width + y * shape.width + x]);
}

/// Writes the matrix to memory. Bound by DRAM.
template <class T>
__global__ void conv_unroll(ConvArgs<T> args, float* matrix, std::int64_t n_pixels, std::int64_t n) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i < n) matrix[i] = unrolled_element(args.in, args.shape, i / n_pixels, i % n_pixels);
}

template <class T>
void run_unroll(const Stream& stream, const ConvArgs<T>& args, float* matrix) {
  constexpr int threads = 256;
  const std::int64_t n_pixels = args.shape.batch * args.n_pixels();
  const std::int64_t n = args.shape.kernel() * n_pixels;
  core::launch(conv_unroll<T>, ceil_div(n, threads), threads, 0, stream, args, matrix, n_pixels, n);
}

/// The address of the output for map m and pixel i of all images.
template <class T>
__device__ __forceinline__ T* output_of(const ConvArgs<T>& args, std::int64_t m, std::int64_t i) {
  const std::int64_t plane = args.n_pixels();
  return args.out + (i / plane * args.shape.maps + m) * plane + i % plane;
}

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
