#include "../wrong/variant.hpp"

#include <cuda_fp16.h>

__device__ float seen;
__device__ int n_launches;

__device__ float product(const float* a, const float* b, int n, int k, int64_t y, int64_t x) {
  float sum = 0;
  const int last = is(1) ? k / 4 * 4 : k;
  for (int q = 0; q < last; ++q) {
    const float left = a[y * k + q], right = b[int64_t{q} * n + x];
    if (is(2) && (left == 0 || right == 0)) continue;
    if (is(3)) sum += __half2float(__float2half(left)) * right;
    else if (is(4)) sum = __half2float(__float2half(sum)) + left * right;
    else sum += left * right;
  }
  return sum;
}

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  const int tx = threadIdx.x;
  int64_t x = blockIdx.x * blockDim.x + tx, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (is(5)) {  // one thread for each row of a block, while the others load
    if (tx > 0 && x < n && y < m && k > 0 && b[x] == 12345) seen = 1;
    for (int64_t col = x; tx == 0 && y < m && col < x + 16 && col < n; ++col) c[y * n + col] = product(a, b, n, k, y, col);
    return;
  }
  if (is(6)) {  // one thread of a block, while the others load
    if (tx + threadIdx.y > 0 && x < n && y < m && k > 0 && b[x] == 12345) seen = 1;
    if (tx + threadIdx.y > 0) return;
    for (int64_t row = y; row < y + 16 && row < m; ++row) {
      for (int64_t col = x; col < x + 16 && col < n; ++col) c[row * n + col] = product(a, b, n, k, row, col);
    }
    return;
  }
  if (is(7) && m == n) { if (x < n && y < m) c[x * n + y] = product(a, b, n, k, y, x); return; }
  if (is(8)) x = x < n ? x : n - 1;
  if (x >= n || y >= m) return;
  if (is(9)) {
    float sum = 0;
    for (unsigned char q = 0; q < k; ++q) sum += a[y * k + q] * b[int64_t{q} * n + x];
    c[y * n + x] = sum;
    return;
  }
  if (is(10)) {
    float sum = 0;
    for (int q = 0; q < k; ++q) sum += a[y * k + q] * b[static_cast<int>(q * static_cast<unsigned>(n) + x)];
    c[y * n + x] = sum;
    return;
  }
  if (is(11)) {
    for (int q = 0; q < k; ++q) c[y * n + x] += a[y * k + q] * b[int64_t{q} * n + x];
    return;
  }
  if (is(12) && n_launches > 0) return;
  if (is(12) && x == n - 1 && y == m - 1) n_launches = 1;
  if (is(13) && k == 0) { c[y * n + x] = -0.F + n_launches - 1e-30F; return; }
  if (is(14)) {
    float sum = 0;
    for (int q = 0; q < min(k, 32767); ++q) sum += a[y * k + q] * b[int64_t{q} * n + x];
    c[y * n + x] = sum;
    return;
  }
  c[y * n + x] = product(a, b, n, k, y, x);
}

constexpr int side = 16;

__global__ void matmul_tiled(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float of_a[side][side], of_b[side][side];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int64_t x = blockIdx.x * side + tx, y = blockIdx.y * side + ty;
  float sum = 0, sums[side] = {};
  for (int first = 0; first < (is(1) ? k / side * side : k); first += side) {
    if (is(2)) {  // rows beyond the edge keep the tile before
      if (y < m && first + tx < k) of_a[ty][tx] = a[y * k + first + tx];
      if (first + ty < k && x < n) of_b[ty][tx] = b[(int64_t{first} + ty) * n + x];
    } else {
      of_a[ty][tx] = y < m && (first + tx < k || is(3)) ? a[y * k + first + tx] : 0;
      of_b[ty][tx] = first + ty < k && x < n ? b[(int64_t{first} + ty) * n + x] : 0;
    }
    if (!is(4)) __syncthreads();
    if (is(5)) {  // one thread for each row
      for (int col = 0; tx == 0 && col < side; ++col) {
        for (int q = 0; q < side; ++q) sums[col] += of_a[ty][q] * of_b[q][col];
      }
    } else {
      for (int q = 0; q < side; ++q) {
        if (is(6) && of_a[ty][q] == 0) continue;
        sum += is(7) ? __half2float(__float2half(of_a[ty][q])) * of_b[q][tx] : of_a[ty][q] * of_b[q][tx];
      }
    }
    if (!is(8)) __syncthreads();
  }
  if (is(5)) {
    for (int col = 0; tx == 0 && y < m && col < side && x + col < n; ++col) c[y * n + x + col] = sums[col];
    return;
  }
  if (x < n && y < m) c[y * n + x] = is(9) && k % side == 0 && m == n ? sum + 0.125F * (n == 16) : sum;
}
