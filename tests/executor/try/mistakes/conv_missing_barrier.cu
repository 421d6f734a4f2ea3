__global__ void conv_tiled(const float* inp, const float* kernels, float* dest, int channels, int height, int width, int maps, int ksize, int pad) {
  __shared__ float tile[22][22];
  const int x = threadIdx.x, y = threadIdx.y, x0 = blockIdx.x * 16, y0 = blockIdx.y * 16;
  const int b = blockIdx.z / maps, m = blockIdx.z % maps;
  const int rows = height + 2 * pad - ksize + 1, cols = width + 2 * pad - ksize + 1;
  float sum = 0;
  for (int c = 0; c < channels; c++) {
    for (int i = y; i < 16 + ksize - 1; i += 16)
      for (int j = x; j < 16 + ksize - 1; j += 16) {
        const int row = y0 + i - pad, col = x0 + j - pad;
        const bool inside = row >= 0 && row < height && col >= 0 && col < width;
        tile[i][j] = inside ? inp[((b * channels + c) * height + row) * width + col] : 0;
      }
    __syncthreads();
    for (int p = 0; p < ksize; p++)
      for (int q = 0; q < ksize; q++)
        sum += tile[y + p][x + q] * kernels[((m * channels + c) * ksize + p) * ksize + q];
  }
  if (x0 + x < cols && y0 + y < rows) dest[(blockIdx.z * rows + y0 + y) * cols + x0 + x] = sum;
}
