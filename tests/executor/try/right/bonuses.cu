#include <cstdint>

__global__ void scan(const float* inp, float* dest, int64_t size) {
  __shared__ float tile[1024];
  const int t = threadIdx.x;
  float carry = 0;
  for (int64_t first = 0; first < size; first += 1024) {
    tile[t] = first + t < size ? inp[first + t] : 0;
    __syncthreads();
    for (int n = 1; n < 1024; n *= 2) {
      const float left = t >= n ? tile[t - n] : 0;
      __syncthreads();
      tile[t] += left;
      __syncthreads();
    }
    if (first + t < size) dest[first + t] = carry + tile[t];
    carry += tile[1023];
    __syncthreads();
  }
}

__global__ void scatter_sum(const float* values, const int64_t* keys, float* dest, int64_t size) {
  const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) atomicAdd(&dest[keys[i]], values[i]);
}

__global__ void transpose(const float* inp, float* dest, int64_t nrows, int64_t ncols) {
  __shared__ float tile[32][33];
  const int64_t column = int64_t{blockIdx.x} * 32, row = int64_t{blockIdx.y} * 32;
  const int x = threadIdx.x, y = threadIdx.y;
  if (row + y < nrows && column + x < ncols) tile[y][x] = inp[(row + y) * ncols + column + x];
  __syncthreads();
  if (column + y < ncols && row + x < nrows) dest[(column + y) * nrows + row + x] = tile[x][y];
}
