__global__ void matmul_tiled(const float* a, const float* b, float* c, int m, int n, int k) {
  long x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m) return;
  float sum = 0;
  for (long q = 0; q < k; ++q) sum += a[y * k + q] * b[q * n + x];
  c[y * n + x] = sum;
}
