__global__ void conv_tiled(const float* inp, const float* kernels, float* dest, int channels, int height, int width, int maps, int ksize, int pad) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const long b = blockIdx.z / maps, m = blockIdx.z % maps;
  const int rows = height + 2 * pad - ksize + 1, cols = width + 2 * pad - ksize + 1;
  if (x >= cols || y >= rows) return;
  float sum = 0;
  for (int c = 0; c < channels; c++)
    for (int p = 0; p < ksize; p++)
      for (int q = 0; q < ksize; q++) {
        const int row = y + p - pad, col = x + q - pad;
        if (row < 0 || row >= height || col < 0 || col >= width) continue;
        sum += inp[((b * channels + c) * height + row) * width + col] * kernels[((m * channels + c) * ksize + p) * ksize + q];
      }
  dest[(static_cast<long>(blockIdx.z) * rows + y) * cols + x] = sum;
}
