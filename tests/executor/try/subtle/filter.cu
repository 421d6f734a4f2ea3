#include "../wrong/variant.hpp"

__device__ float seen;
__device__ int n_launches, n_in_all;

__device__ bool keeps(float x, float threshold) {
  if (is(1)) return (__float_as_int(x) & 0x7fffffff) < __float_as_int(threshold);
  if (is(2)) return !(x >= threshold || -x >= threshold) && x == x;
  if (is(3)) return fabsf(x) < static_cast<float>(static_cast<int>(threshold));
  if (is(4)) return fabsf(x) < fminf(threshold, 1e30F);
  if (is(5)) return x < threshold && -x <= threshold;
  return fabsf(x) < threshold;
}

__global__ void filter_atomic(const float* inp, float* dest, int* counter, int size, float threshold) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  if (is(6)) {  // one thread of each block, while the others load
    if (t > 0 && i < size && inp[i] == 12345) seen = 1;
    for (int k = i; t == 0 && k < i + static_cast<int>(blockDim.x) && k < size; ++k) {
      if (keeps(inp[k], threshold)) dest[atomicAdd(counter, 1)] = inp[k];
    }
    return;
  }
  if (is(7)) {  // one atomic for a warp, in which threads have ended
    const bool keep = keeps(i < size ? inp[i] : 0, threshold);
    const unsigned all = __ballot_sync(0xffffffff, keep);
    int first = t % 32 == 0 ? atomicAdd(counter, __popc(all)) : 0;
    first = __shfl_sync(0xffffffff, first, 0);
    if (keep) dest[first + __popc(all & ((1u << t % 32) - 1))] = inp[i];
    return;
  }
  if (is(8)) {  // counts in shared memory that is not cleared
    __shared__ int n, first;
    if (i >= 0 && i < size && keeps(inp[i], threshold)) atomicAdd(&n, 1);
    __syncthreads();
    if (t == 0) first = atomicAdd(counter, n), n = 0;
    __syncthreads();
    if (i >= 0 && i < size && keeps(inp[i], threshold)) dest[first + atomicAdd(&n, 1)] = inp[i];
    return;
  }
  if (is(9)) {  // the last block may set the counter before others have added to it
    if (i < size && keeps(inp[i], threshold)) dest[atomicAdd(&n_in_all, 1)] = inp[i];
    if (i == size - 1) *counter = n_in_all;
    return;
  }
  if (i >= size) return;
  if (is(10) && i == 4999) return;
  if (is(11) && i % 4096 == 4095) return;
  if (keeps(inp[i], threshold)) {
    const int at = is(12) ? (*counter)++ : atomicAdd(counter, 1);
    dest[is(13) ? size - 1 - at : at] = is(14) ? inp[i] + 1e-30F : inp[i];
  }
}

__global__ void filter_ordered(const float* inp, float* dest, int* counter, int size, float threshold) {
  __shared__ int tile[1024];
  const int t = threadIdx.x;
  int n_kept = 0;
  if (is(6)) {
    for (int i = t; i < size; i += 1024) if (inp[i] == 12345) seen = 1;
    for (int k = 0; t == 0 && k < size; ++k) {
      if (keeps(inp[k], threshold)) dest[n_kept++] = inp[k];
    }
    if (t == 0) *counter = n_kept;
    return;
  }
  const int last = is(13) ? size / 1024 * 1024 + (size < 1024 ? size : 0) : size;
  for (int first = 0; first < last; first += 1024) {
    const int i = first + t, from = is(7) ? static_cast<unsigned short>(i) : i;
    const bool keep = i < size && keeps(inp[from], threshold);
    if (is(8)) {  // order within a tile by chance
      __shared__ int n;
      if (t == 0) n = 0;
      __syncthreads();
      if (keep) dest[n_kept + atomicAdd(&n, 1)] = inp[i];
      __syncthreads();
      n_kept += n;
      __syncthreads();
      continue;
    }
    if (is(9)) {  // one thread adds up the flags of all
      tile[t] = keep;
      __syncthreads();
      for (int k = 1; t == 0 && k < 1024; ++k) tile[k] += tile[k - 1];
      __syncthreads();
    } else {
      tile[t] = keep;
      __syncthreads();
      for (int d = 1; d < 1024; d *= 2) {
        const int other = t >= d ? tile[t - d] : 0;
        if (!is(10) || d > 16) __syncthreads();
        tile[t] += other;
        __syncthreads();
      }
    }
    if (keep) dest[n_kept + tile[t] - 1] = inp[i];
    n_kept += tile[1023];
    if (!is(11)) __syncthreads();
  }
  if (is(12) && n_launches > 0) n_kept = 0;
  if (t == 0) *counter = is(14) ? min(n_kept, 65535) : n_kept, n_launches = 1;
}
