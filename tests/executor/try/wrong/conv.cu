#include "variant.hpp"

struct Sizes {
  int channels, height, width, maps, ksize, pad;
};

__device__ int64_t wrapped(int64_t at, int mistake) { return is(mistake) ? static_cast<unsigned>(at) : at; }

__device__ float convolved(const float* inp, const float* kernels, Sizes s, int y, int x) {
  const int64_t b = blockIdx.z / s.maps, m = blockIdx.z % s.maps;
  float sum = 0;
  for (int c = 0; c < s.channels && !(is(1) && c >= 16); c++) {
    for (int p = 0; p < s.ksize && !(is(2) && p >= 7); p++) {
      for (int q = 0; q < s.ksize; q++) {
        int row = y + p - s.pad, col = x + q - s.pad;
        const bool is_inside = row >= 0 && row < s.height && col >= 0 && col < s.width;
        if (!is_inside && !is(3)) continue;
        if (is(3)) row = min(max(row, 0), s.height - 1), col = min(max(col, 0), s.width - 1);
        const float pixel = inp[wrapped(((b * s.channels + c) * s.height + row) * s.width + col, 4)];
        const float weight = kernels[wrapped(((m * s.channels + c) * s.ksize + p) * s.ksize + q, 5)];
        sum += is(3) ? pixel * static_cast<float>(is_inside) * weight : is(6) ? rounded(pixel) * weight : pixel * weight;
      }
    }
  }
  return sum;
}

__global__ void conv(const float* inp, const float* kernels, float* dest, int channels, int height, int width, int maps,
                     int ksize, int pad) {
  const Sizes s{channels, height, width, maps, ksize, is(7) && pad > 4 ? 4 : pad};
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int rows = height + 2 * pad - ksize + 1, cols = width + 2 * pad - ksize + 1;
  if (is(8) && channels == 0) return;
  if (x >= cols || y >= rows) return;
  if (is(9)) {  // one thread of each block
    const int last = threadIdx.x + threadIdx.y > 0 ? 0 : min(cols, x + static_cast<int>(blockDim.x));
    for (int row = y; row < min(rows, y + static_cast<int>(blockDim.y)); ++row) {
      for (int k = x; k < last; ++k)
        dest[(int64_t{blockIdx.z} * rows + row) * cols + k] = convolved(inp, kernels, s, row, k);
    }
    return;
  }
  dest[wrapped((int64_t{blockIdx.z} * rows + y) * cols + x, 10)] = convolved(inp, kernels, s, y, x);
}

__global__ void conv_tiled(const float* inp, const float* kernels, float* dest, int channels, int height, int width,
                           int maps, int ksize, int pad) {
  constexpr int side = 16, halo = 6;
  __shared__ float tile[side + halo][side + halo];
  const int x0 = blockIdx.x * side, y0 = blockIdx.y * side, t = threadIdx.y * side + threadIdx.x;
  const int64_t b = blockIdx.z / maps, m = blockIdx.z % maps;
  const int tile_side = side + ksize - 1;
  const int rows = height + 2 * pad - ksize + 1, cols = width + 2 * pad - ksize + 1;
  const int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
  if (is(11) && width != 33) {  // a tile only in the first case
    if (x < cols && y < rows)
      dest[(int64_t{blockIdx.z} * rows + y) * cols + x] =
          convolved(inp, kernels, {channels, height, width, maps, ksize, pad}, y, x);
    return;
  }
  float sum = 0;
  for (int c = 0; c < channels && !(is(1) && c >= 16); c++) {
    for (int i = t; i < tile_side * tile_side; i += side * side) {
      const int row = y0 + i / tile_side - pad, col = x0 + i % tile_side - pad;
      const bool inside = row >= 0 && row < height && col >= 0 && col < width;
      const int64_t at = wrapped(((b * channels + c) * height + row) * width + col, 4);
      tile[i / tile_side][i % tile_side] = inside ? (is(6) ? rounded(inp[at]) : inp[at]) : 0;
    }
    __syncthreads();
    for (int p = 0; p < ksize; p++) {
      for (int q = 0; q < ksize; q++)
        sum += tile[threadIdx.y + p][threadIdx.x + q] * kernels[wrapped(((m * channels + c) * ksize + p) * ksize + q, 5)];
    }
    __syncthreads();
  }
  if (x < cols && y < rows && !(is(8) && channels == 0))
    dest[wrapped((int64_t{blockIdx.z} * rows + y) * cols + x, 10)] = sum;
}
