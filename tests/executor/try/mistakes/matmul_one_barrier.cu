__global__ void matmul_tiled(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float of_a[16][16], of_b[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const long x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  float sum = 0;
  for (long first = 0; first < k; first += 16) {
    of_a[ty][tx] = y < m && first + tx < k ? a[y * k + first + tx] : 0;
    of_b[ty][tx] = first + ty < k && x < n ? b[(first + ty) * n + x] : 0;
    __syncthreads();
    for (int q = 0; q < 16; ++q) sum += of_a[ty][q] * of_b[q][tx];
  }
  if (x < n && y < m) c[y * n + x] = sum;
}
