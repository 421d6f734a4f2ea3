#include "../wrong/variant.hpp"

#include <cuda_fp16.h>

__device__ float seen;
__device__ int n_launches;

__device__ void to_pixels(float& a, float& b, float& c, float& d) {
  const float first = a - c, second = b + c, third = c - b, fourth = b - d;
  a = first, b = second, c = third, d = fourth;
}
__device__ void to_weights(float& a, float& b, float& c, float& d) {
  const float first = a, outer = a + c, middle = b, last = c;
  a = first, b = (outer + middle) / 2, c = (outer - middle) / 2, d = last;
  if (is(1)) b = truncf(2 * b) / 2, c = truncf(2 * c) / 2;
}
__device__ void to_outputs(float& a, float& b, float c, float d) {
  const float first = a + b + c, second = b - c - d;
  a = first, b = second;
}

struct Image {
  const float *inp, *kernels;
  int channels, height, width, maps, pad;
};

__device__ void compute(const Image& s, int y, int x, float (&sums)[4][4]) {
  const int64_t b = blockIdx.z / s.maps, m = blockIdx.z % s.maps;
  for (int c = 0; c < (is(2) ? s.channels / 2 * 2 : s.channels); c++) {
    float d[4][4], g[4][4];
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 4; j++) {
        const int row = y + i - s.pad, col = x + j - s.pad;
        const bool inside = row >= 0 && row < s.height && col >= 0 && col < s.width;
        d[i][j] = inside ? s.inp[((b * s.channels + c) * s.height + row) * s.width + col] : 0;
        if (is(3)) d[i][j] = __half2float(__float2half(d[i][j]));
      }
      for (int j = 0; j < 3 && i < 3; j++) g[i][j] = s.kernels[((m * s.channels + c) * 3 + i) * 3 + j];
    }
    for (int i = 0; i < 4; i++) to_pixels(d[i][0], d[i][1], d[i][2], d[i][3]);
    for (int j = 0; j < 4; j++) to_pixels(d[0][j], d[1][j], d[2][j], d[3][j]);
    for (int i = 0; i < 3; i++) to_weights(g[i][0], g[i][1], g[i][2], g[i][3]);
    for (int j = 0; j < 4; j++) to_weights(g[0][j], g[1][j], g[2][j], g[3][j]);
    for (int i = 0; i < 16; i++) {
      const float u = is(4) ? __half2float(__float2half(g[i / 4][i % 4])) : g[i / 4][i % 4];
      sums[i / 4][i % 4] += d[i / 4][i % 4] * u;
    }
  }
  for (int i = 0; i < 4; i++) to_outputs(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
  for (int j = 0; j < 2; j++) to_outputs(sums[0][j], sums[1][j], sums[2][j], sums[3][j]);
}

__global__ void winograd(const float* inp, const float* kernels, float* dest, int channels, int height, int width,
                         int maps, int pad) {
  const Image s{inp, kernels, channels, height, width, maps, pad};
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = 2 * (blockIdx.x * blockDim.x + tx), y = 2 * (blockIdx.y * blockDim.y + ty);
  const int rows = height + 2 * pad - 2, cols = width + 2 * pad - 2;
  int first = x, last = x + 2;
  if (is(5)) {  // one thread for each row of a block, while the others load
    if (tx > 0 && x < width && y < height && channels > 0 && inp[int64_t{y} * width + x] == 12345) seen = 1;
    if (tx > 0) return;
    last = x + 32;
  }
  for (; first < last; first += 2) {
    if (first >= cols || y >= rows) return;
    if (is(6) && (first + 2 > cols || y + 2 > rows)) return;
    if (is(7) && n_launches > 0) return;
    float sums[4][4] = {};
    compute(s, y, first, sums);
    for (int i = 0; i < 2 && (y + i < rows || is(8)); i++) {
      for (int j = 0; j < 2 && (first + j < cols || is(9)); j++)
        dest[(int64_t{blockIdx.z} * rows + y + i) * cols + first + j] = sums[i][j];
    }
    if (is(7)) n_launches = 1;
  }
}
