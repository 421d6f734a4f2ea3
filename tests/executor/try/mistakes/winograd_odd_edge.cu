__global__ void winograd(const float* inp, const float* kernels, float* dest, int channels, int height, int width, int maps, int pad) {
  __shared__ float g[4][4];
  const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x), y = 2 * (blockIdx.y * blockDim.y + threadIdx.y);
  const int b = blockIdx.z / maps, m = blockIdx.z % maps, t = threadIdx.y * blockDim.x + threadIdx.x;
  const int rows = height + 2 * pad - 2, cols = width + 2 * pad - 2;
  float sums[4][4] = {};
  for (int c = 0; c < channels; c++) {
    if (t < 16) {
      const float G[4][3] = {{1, 0, 0}, {0.5f, 0.5f, 0.5f}, {0.5f, -0.5f, 0.5f}, {0, 0, 1}};
      float sum = 0;
      for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) sum += G[t / 4][p] * G[t % 4][q] * kernels[((m * channels + c) * 3 + p) * 3 + q];
      g[t / 4][t % 4] = sum;
    }
    __syncthreads();
    float d[4][4], rows_done[4][4];
    for (int i = 0; i < 16; i++) {
      const int row = y + i / 4 - pad, col = x + i % 4 - pad;
      const bool inside = row >= 0 && row < height && col >= 0 && col < width;
      d[i / 4][i % 4] = inside ? inp[((b * channels + c) * height + row) * width + col] : 0;
    }
    for (int i = 0; i < 4; i++) {
      rows_done[i][0] = d[i][0] - d[i][2];
      rows_done[i][1] = d[i][1] + d[i][2];
      rows_done[i][2] = d[i][2] - d[i][1];
      rows_done[i][3] = d[i][1] - d[i][3];
    }
    for (int j = 0; j < 4; j++) {
      sums[0][j] += (rows_done[0][j] - rows_done[2][j]) * g[0][j];
      sums[1][j] += (rows_done[1][j] + rows_done[2][j]) * g[1][j];
      sums[2][j] += (rows_done[2][j] - rows_done[1][j]) * g[2][j];
      sums[3][j] += (rows_done[1][j] - rows_done[3][j]) * g[3][j];
    }
    __syncthreads();
  }
  const float A[2][4] = {{1, 1, 1, 0}, {0, 1, -1, -1}};
  for (int i = 0; i < 4; i++) {
    if (y >= rows || x >= cols) continue;
    float sum = 0;
    for (int j = 0; j < 16; j++) sum += A[i / 2][j / 4] * A[i % 2][j % 4] * sums[j / 4][j % 4];
    dest[(blockIdx.z * rows + y + i / 2) * cols + x + i % 2] = sum;
  }
}
