#include <cstdint>

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  const int64_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m) return;
  float sum = 0;
  for (int q = 0; q < k; ++q) sum += a[y * k + q] * b[int64_t{q} * n + x];
  c[y * n + x] = sum;
}

constexpr int side = 16;

__global__ void matmul_tiled(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float of_a[side][side], of_b[side][side];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int64_t x = blockIdx.x * side + tx, y = blockIdx.y * side + ty;
  float sum = 0;
  for (int first = 0; first < k; first += side) {
    of_a[ty][tx] = y < m && first + tx < k ? a[y * k + first + tx] : 0;
    of_b[ty][tx] = first + ty < k && x < n ? b[(int64_t{first} + ty) * n + x] : 0;
    __syncthreads();
    for (int q = 0; q < side; ++q) sum += of_a[ty][q] * of_b[q][tx];
    __syncthreads();
  }
  if (x < n && y < m) c[y * n + x] = sum;
}
