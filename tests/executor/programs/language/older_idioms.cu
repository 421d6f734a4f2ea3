// Idioms of older programs: shuffles and votes without a mask, code selected by __CUDA_ARCH__, a kernel argument whose
// class has a destructor.
#include <cuda_runtime.h>

#include <cstdio>

#if __CUDA_ARCH__ >= 300
__device__ int warp_sum(int value) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down(value, distance);
  return value;
}
#endif

/// Copies share the counter; only the first one frees it.
struct Counter {
  int* count;
  bool is_owner;
  Counter() : is_owner(true) { cudaMalloc(&count, sizeof(int)); }
  Counter(const Counter& other) : count(other.count), is_owner(false) {}
  ~Counter() { cudaFree(is_owner ? count : nullptr); }
  __device__ void add(int amount) { atomicAdd(count, amount); }
};

__global__ void sums(const int* in, int* out, Counter odd) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, value = in[i];
#ifdef __CUDA_ARCH__
  int total = warp_sum(value);
#else
  int total = -1;
#endif
  unsigned odd_lanes = __ballot(value % 2);
  if (threadIdx.x % 32 == 0) {
    out[i / 32] = total;
    odd.add(__popc(odd_lanes));
  }
  if (value % 2) {
    int last = __shfl(value, 31);  // only the active lanes take part
    if (threadIdx.x % 32 == 31) out[i / 32 + 8] = last;
  }
}

int main() {
  int host[256], expected[16] = {}, result[16], n_odd = 0, counted = 0;
  for (int i = 0; i < 256; ++i) {
    host[i] = i % 32 == 31 ? 7 + 2 * (i / 32) : i * 5 % 23;
    expected[i / 32] += host[i];
    n_odd += host[i] % 2;
  }
  for (int warp = 0; warp < 8; ++warp) expected[warp + 8] = host[warp * 32 + 31];
  int *in, *out;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof result);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  {
    Counter odd;
    cudaMemset(odd.count, 0, sizeof(int));
    sums<<<2, 128>>>(in, out, odd);
    cudaMemcpy(&counted, odd.count, sizeof(int), cudaMemcpyDeviceToHost);
  }
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  bool right = counted == n_odd && cudaGetLastError() == cudaSuccess;
  for (int i = 0; i < 16; ++i) right = right && result[i] == expected[i];
  cudaFree(in);
  cudaFree(out);
  std::printf(right ? "PASS\n" : "FAIL\n");
  return right ? 0 : 1;
}
