// Prefix sums give each element its output position: exclusive_scan, and filter_ordered by the same idea.
#include <cstdint>

constexpr int n_threads = 1024;

// Returns the sum over the preceding threads; stores the sum over all threads in `total`.
template <class T>
__device__ T sum_before(T own, T* tile, T* total) {
  const int t = threadIdx.x;
  tile[t] = own;
  __syncthreads();
  for (int d = 1; d < n_threads; d *= 2) {
    const T other = t >= d ? tile[t - d] : T{0};
    __syncthreads();
    tile[t] += other;
    __syncthreads();
  }
  const T before = t > 0 ? tile[t - 1] : T{0};
  *total = tile[n_threads - 1];
  __syncthreads();
  return before;
}

__global__ void exclusive_scan(const float* inp, float* dest, int64_t size) {
  __shared__ float tile[n_threads];
  float carry = 0, total;
  for (int64_t first = 0; first < size; first += n_threads) {
    const int64_t i = first + threadIdx.x;
    const float before = sum_before(i < size ? inp[i] : 0.F, tile, &total);
    if (i < size) dest[i] = carry + before;
    carry += total;
  }
}

__global__ void filter_ordered(const float* inp, float* dest, int* counter, int size, float threshold) {
  __shared__ int tile[n_threads];
  int n_kept = 0, total;
  for (int first = 0; first < size; first += n_threads) {
    const int i = first + threadIdx.x;
    const bool keep = i < size && fabsf(inp[i]) < threshold;
    const int before = sum_before(keep ? 1 : 0, tile, &total);
    if (keep) dest[n_kept + before] = inp[i];
    n_kept += total;
  }
  if (threadIdx.x == 0) *counter = n_kept;
}
