__global__ void conv(const float* inp, const float* kernels, float* dest, int channels, int height, int width, int maps,
                     int ksize, int pad) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const long b = blockIdx.z / maps, m = blockIdx.z % maps;
  const int rows = height + 2 * pad - ksize + 1, cols = width + 2 * pad - ksize + 1;
  if (x >= cols || y >= rows) return;
  float sum = 0;
  for (int c = 0; c < channels; c++) {
    for (int p = 0; p < ksize; p++) {
      for (int q = 0; q < ksize; q++) {
        const int row = y + p - pad, col = x + q - pad;
        if (row < 0 || row >= height || col < 0 || col >= width) continue;
        sum += inp[((b * channels + c) * height + row) * width + col] *
               kernels[((m * channels + c) * ksize + p) * ksize + q];
      }
    }
  }
  dest[(static_cast<long>(blockIdx.z) * rows + y) * cols + x] = sum;
}

__global__ void conv_tiled(const float* inp, const float* kernels, float* dest, int channels, int height, int width,
                           int maps, int ksize, int pad) {
  constexpr int side = 16, halo = 6;
  __shared__ float tile[side + halo][side + halo];
  __shared__ float weights[7 * 7];
  const int x0 = blockIdx.x * side, y0 = blockIdx.y * side, t = threadIdx.y * side + threadIdx.x;
  const long b = blockIdx.z / maps, m = blockIdx.z % maps;
  const int tile_side = side + ksize - 1;
  float sum = 0;
  for (int c = 0; c < channels; c++) {
    for (int i = t; i < tile_side * tile_side; i += side * side) {
      const int row = y0 + i / tile_side - pad, col = x0 + i % tile_side - pad;
      const bool inside = row >= 0 && row < height && col >= 0 && col < width;
      tile[i / tile_side][i % tile_side] = inside ? inp[((b * channels + c) * height + row) * width + col] : 0;
    }
    if (t < ksize * ksize) weights[t] = kernels[(m * channels + c) * ksize * ksize + t];
    __syncthreads();
    for (int p = 0; p < ksize; p++) {
      for (int q = 0; q < ksize; q++) sum += tile[threadIdx.y + p][threadIdx.x + q] * weights[p * ksize + q];
    }
    __syncthreads();
  }
  const int rows = height + 2 * pad - ksize + 1, cols = width + 2 * pad - ksize + 1;
  const int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
  if (x < cols && y < rows) dest[(static_cast<long>(blockIdx.z) * rows + y) * cols + x] = sum;
}

// One-dimensional transforms: B^T of 4 pixels, G of 3 weights, A^T of 4 products.
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
  const long b = blockIdx.z / maps, m = blockIdx.z % maps;
  const int rows = height + 2 * pad - 2, cols = width + 2 * pad - 2;
  if (x >= cols || y >= rows) return;
  float sums[4][4] = {};
  for (int c = 0; c < channels; c++) {
    float d[4][4], g[4][4];
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 4; j++) {
        const int row = y + i - pad, col = x + j - pad;
        const bool inside = row >= 0 && row < height && col >= 0 && col < width;
        d[i][j] = inside ? inp[((b * channels + c) * height + row) * width + col] : 0;
      }
      for (int j = 0; j < 3 && i < 3; j++) g[i][j] = kernels[((m * channels + c) * 3 + i) * 3 + j];
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
      dest[(static_cast<long>(blockIdx.z) * rows + y + i) * cols + x + j] = sums[i][j];
  }
}
