// Max pooling: the windows that kernels pool in registers, and a separate pass for all others.
#pragma once

#include "conv/conv_rung.hpp"
#include "library/core/cuda/convert.cuh"
#include "library/core/cuda/launch.cuh"
#include "library/core/stream/scratch.hpp"

namespace rafter::conv_ladder::RAFTER_BACKEND {

/// Whether kernels can pool in registers: adjacent windows of 1, 2 x 2 or 4 x 4 pixels.
constexpr bool can_pool(const MaxPool& pool) {
  return pool.size == pool.stride && (pool.size == 1 || pool.size == 2 || pool.size == 4);
}

/// Computes out[i] = the maximum of window i of `planes`, each of height x width. Bound by DRAM.
template <class T>
__global__ void max_pool(const T* planes, std::int64_t height, std::int64_t width, MaxPool pool, T* out,
                         std::int64_t n) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i >= n) return;
  const std::int64_t out_width = pool.out(width);
  const std::int64_t pooled = pool.out(height) * out_width;
  const T* plane = planes + i / pooled * height * width;
  const std::int64_t y0 = i % pooled / out_width * pool.stride;
  const std::int64_t x0 = i % pooled % out_width * pool.stride;
  auto largest = core::widen(plane[y0 * width + x0]);
  for (std::int64_t y = y0; y < min(y0 + pool.size, height); ++y) {
    for (std::int64_t x = x0; x < min(x0 + pool.size, width); ++x)
      largest = fmaxf(largest, core::widen(plane[y * width + x]));
  }
  out[i] = core::round_to<T>(largest);
}

/// Calls `convolve(args)` for the layer without its pooling, into scratch memory if there is pooling, and pools the
/// result. Rounding is monotonic, so rounding first does not change the maximum.
template <class T, class Convolve>
void convolve_and_pool(const Stream& stream, const ConvArgs<T>& args, Convolve&& convolve) {
  if (args.pool.is_none()) return convolve(args);
  const std::int64_t n = args.shape.batch * args.shape.maps * args.n_pixels();
  ConvArgs<T> before = args;
  before.pool = {};
  before.out = reinterpret_cast<T*>(core::scratch(stream, n * std::int64_t{sizeof(T)}));
  convolve(before);
  constexpr int threads = 256;
  core::launch(max_pool<T>, ceil_div(args.out_elements(), threads), threads, 0, stream, before.out,
               args.shape.out_height(), args.shape.out_width(), args.pool, args.out, args.out_elements());
}

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
