#include "variant.hpp"

__device__ int64_t wrapped(int64_t at, int mistake) { return is(mistake) ? static_cast<unsigned>(at) : at; }

__device__ void to_pixels(float& a, float& b, float& c, float& d) {
  const float first = a - c, second = b + c, third = c - b, fourth = b - d;
  a = first, b = second, c = third, d = fourth;
}
__device__ void to_weights(float& a, float& b, float& c, float& d) {
  const float first = a, outer = a + c, middle = b, last = c;
  a = first, b = (outer + middle) / 2, c = (outer - middle) / 2, d = last;
}
__device__ void to_outputs(float& a, float& b, float c, float d) {
  const float first = a + b + c, second = b - c - d;
  a = first, b = second;
}

__global__ void winograd(const float* inp, const float* kernels, float* dest, int channels, int height, int width,
                         int maps, int pad) {
  const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x), y = 2 * (blockIdx.y * blockDim.y + threadIdx.y);
  const int64_t b = blockIdx.z / maps, m = blockIdx.z % maps;
  const int rows = height + 2 * pad - 2, cols = width + 2 * pad - 2;
  if (x >= cols || y >= rows || (is(1) && channels == 0)) return;
  const int shift = is(2) && pad > 2 ? 2 : pad;
  float sums[4][4] = {}, direct[4] = {};
  for (int c = 0; c < channels && !(is(3) && c >= 64); c++) {
    float d[4][4], g[4][4];
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 4; j++) {
        const int row = y + i - shift, col = x + j - shift;
        const bool inside = row >= 0 && row < height && col >= 0 && col < width;
        d[i][j] = inside ? inp[wrapped(((b * channels + c) * height + row) * width + col, 4)] : 0;
        if (is(5)) d[i][j] = rounded(d[i][j]);
      }
      for (int j = 0; j < 3 && i < 3; j++) g[i][j] = kernels[wrapped(((m * channels + c) * 3 + i) * 3 + j, 6)];
    }
    if (is(7) || (is(8) && width != 37)) {  // 36 products
      for (int i = 0; i < 36; i++) direct[i / 9] += d[i / 18 + i % 9 / 3][i / 9 % 2 + i % 3] * g[i % 9 / 3][i % 3];
      continue;
    }
    for (int i = 0; i < 4; i++) to_pixels(d[i][0], d[i][1], d[i][2], d[i][3]);
    for (int j = 0; j < 4; j++) to_pixels(d[0][j], d[1][j], d[2][j], d[3][j]);
    for (int i = 0; i < 3; i++) to_weights(g[i][0], g[i][1], g[i][2], g[i][3]);
    for (int j = 0; j < 4; j++) to_weights(g[0][j], g[1][j], g[2][j], g[3][j]);
    for (int i = 0; i < 16; i++) sums[i / 4][i % 4] += d[i / 4][i % 4] * g[i / 4][i % 4];
  }
  for (int i = 0; i < 4; i++) to_outputs(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
  for (int j = 0; j < 2; j++) to_outputs(sums[0][j], sums[1][j], sums[2][j], sums[3][j]);
  for (int i = 0; i < 2 && y + i < rows; i++) {
    for (int j = 0; j < 2 && x + j < cols; j++)
      dest[wrapped((int64_t{blockIdx.z} * rows + y + i) * cols + x + j, 9)] =
          is(7) || (is(8) && width != 37) ? direct[2 * i + j] : sums[i][j];
  }
}
