#include "../wrong/variant.hpp"

#include <cuda_fp16.h>

__device__ float seen;
__device__ int n_launches;

struct Sizes {
  int channels, height, width, maps, ksize, pad;
};

__device__ float convolved(const float* inp, const float* kernels, Sizes s, int y, int x) {
  const int64_t b = blockIdx.z / s.maps, m = blockIdx.z % s.maps;
  float sum = 0;
  for (int c = 0; c < (is(1) ? s.channels / 2 * 2 : s.channels); c++) {
    for (int p = 0; p < s.ksize; p++) {
      for (int q = 0; q < s.ksize; q++) {
        const int row = y + p - s.pad, col = x + q - s.pad;
        if (row < 0 || row >= s.height || col < 0 || col >= s.width - (is(2) && s.pad > 0 && x == s.width - 1)) continue;
        const float pixel = inp[((b * s.channels + c) * s.height + row) * s.width + col];
        const int flipped = is(3) && s.ksize % 2 == 0 ? s.ksize - 1 - q : q;
        const float weight = kernels[((m * s.channels + c) * s.ksize + p) * s.ksize + flipped];
        if (is(4) && weight == 0) continue;
        sum += is(5) ? __half2float(__float2half(pixel)) * weight : pixel * weight;
      }
    }
  }
  return sum;
}

__global__ void conv(const float* inp, const float* kernels, float* dest, int channels, int height, int width, int maps,
                     int ksize, int pad) {
  const Sizes s{channels, height, width, maps, ksize, pad};
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * blockDim.x + tx, y = blockIdx.y * blockDim.y + ty;
  const int rows = height + 2 * pad - ksize + 1, cols = is(6) ? width : width + 2 * pad - ksize + 1;
  float* const to = dest + int64_t{blockIdx.z} * rows * cols;
  if (is(7) || is(8)) {  // one thread for each row of a block, or for all of it, while the others load
    const bool works = tx == 0 && (is(7) || ty == 0);
    if (!works && x < width && y < height && channels > 0 && inp[int64_t{y} * width + x] == 12345) seen = 1;
    for (int row = y; works && row < y + (is(8) ? 16 : 1) && row < rows; ++row) {
      for (int col = x; col < x + 16 && col < cols; ++col) to[int64_t{row} * cols + col] = convolved(inp, kernels, s, row, col);
    }
    return;
  }
  if (x >= cols || y >= rows) return;
  if (is(9)) {
    float sum = 0;
    const int64_t b = blockIdx.z % maps, m = blockIdx.z / maps;
    for (int c = 0; c < channels; c++) {
      for (int p = 0; p < ksize; p++) {
        for (int q = 0; q < ksize; q++) {
          const int row = y + p - pad, col = x + q - pad;
          if (row < 0 || row >= height || col < 0 || col >= width) continue;
          sum += inp[((b * channels + c) * height + row) * width + col] * kernels[((m * channels + c) * ksize + p) * ksize + q];
        }
      }
    }
    to[int64_t{y} * cols + x] = sum;
    return;
  }
  if (is(10) && n_launches > 0) return;
  if (is(10) && x == cols - 1 && y == rows - 1) n_launches = 1;
  if (is(11) && x == 256) { to[int64_t{y} * cols + x] = 0; return; }
  if (is(12) && ksize > 8) { to[int64_t{y} * cols + x] = convolved(inp, kernels, {channels, height, width, maps, 8, pad}, y, x); return; }
  to[int64_t{y} * cols + x] = convolved(inp, kernels, s, y, x);
}

__global__ void conv_tiled(const float* inp, const float* kernels, float* dest, int channels, int height, int width,
                           int maps, int ksize, int pad) {
  constexpr int side = 16, halo = 6;
  __shared__ float tile[side + halo][side + halo];
  const int x0 = blockIdx.x * side, y0 = blockIdx.y * side, t = threadIdx.y * side + threadIdx.x;
  const int64_t b = blockIdx.z / maps, m = blockIdx.z % maps;
  const int tile_side = side + (is(1) ? (ksize - 1) / 2 * 2 : ksize - 1);  // even sizes
  const int rows = height + 2 * pad - ksize + 1, cols = width + 2 * pad - ksize + 1;
  const int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
  float sum = 0;
  for (int c = 0; c < (is(2) ? channels / 2 * 2 : channels); c++) {
    for (int i = t; i < tile_side * tile_side; i += side * side) {
      const int row = y0 + i / tile_side - pad, col = x0 + i % tile_side - pad;
      const bool inside = row >= 0 && row < height && col >= 0 && col < width;
      if (is(3) && !inside) continue;  // keeps the channel before
      const float pixel = inside ? inp[((b * channels + c) * height + row) * width + col] : 0;
      tile[i / tile_side][i % tile_side] = is(4) ? __half2float(__float2half(pixel)) : pixel;
    }
    if (is(5)) {
      if (c == 0) __syncthreads();
    } else {
      __syncthreads();
    }
    for (int p = 0; p < ksize; p++) {
      for (int q = 0; q < ksize; q++) {
        const float weight = kernels[((m * channels + c) * ksize + p) * ksize + q];
        if (is(6) && weight == 0) continue;
        sum += tile[threadIdx.y + p][threadIdx.x + (is(7) && ksize % 2 == 0 ? ksize - 1 - q : q)] * weight;
      }
    }
    if (!is(8)) __syncthreads();
  }
  if (is(9) && n_launches > 0) return;
  if (is(9) && x == cols - 1 && y == rows - 1) n_launches = 1;
  if (x < cols && y < rows) dest[(int64_t{blockIdx.z} * rows + y) * cols + x] = sum;
}
