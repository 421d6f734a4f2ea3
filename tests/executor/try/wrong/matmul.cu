#include "variant.hpp"

__device__ int64_t wrapped(int64_t at, int mistake) { return is(mistake) ? static_cast<unsigned>(at) : at; }

__device__ float product(const float* a, const float* b, int n, int k, int64_t y, int64_t x) {
  float sum = 0;
  for (int q = 0; q < k && !(is(1) && q >= 256); ++q) {
    const float left = a[wrapped(y * k + q, 2)], right = b[wrapped(int64_t{q} * n + x, 3)];
    sum += is(4) ? rounded(left * right) : is(5) ? fminf(left, 1e6F) * right : left * right;
  }
  return sum;
}

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  const int64_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m || (is(6) && k == 0)) return;
  if (is(7)) {  // one thread of a row of the block
    for (int64_t col = x; threadIdx.x == 0 && threadIdx.y % 2 == 0 && col < n && col < x + 16; ++col) {
      for (int64_t row = y; row < y + 2 && row < m; ++row) c[row * n + col] = product(a, b, n, k, row, col);
    }
    return;
  }
  c[wrapped(y * n + x, 8)] = product(a, b, n, k, y, x);
}

constexpr int side = 16;

__global__ void matmul_tiled(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float of_a[side][side], of_b[side][side];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int64_t x = blockIdx.x * side + tx, y = blockIdx.y * side + ty;
  if (is(9) && m != 64) {  // tiles only in the first case
    if (x < n && y < m) c[y * n + x] = product(a, b, n, k, y, x);
    return;
  }
  float sum = 0;
  for (int first = 0; first < k && !(is(1) && first >= 256); first += side) {
    if (is(10)) {  // the elements at the edge once more, times 0
      const int64_t row = y < m ? y : m - 1, col = x < n ? x : n - 1;
      const int qa = min(first + tx, k - 1), qb = min(first + ty, k - 1);
      of_a[ty][tx] = a[row * k + qa] * static_cast<float>(first + tx < k);
      of_b[ty][tx] = b[int64_t{qb} * n + col] * static_cast<float>(first + ty < k);
    } else {
      of_a[ty][tx] = y < m && first + tx < k ? a[wrapped(y * k + first + tx, 2)] : 0;
      of_b[ty][tx] = first + ty < k && x < n ? b[wrapped((int64_t{first} + ty) * n + x, 3)] : 0;
    }
    __syncthreads();
    for (int q = 0; q < side; ++q) sum += is(4) ? rounded(of_a[ty][q] * of_b[q][tx]) : of_a[ty][q] * of_b[q][tx];
    __syncthreads();
  }
  if (x < n && y < m && !(is(6) && k == 0)) c[wrapped(y * n + x, 8)] = sum;
}
