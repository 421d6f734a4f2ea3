// Idioms of older programs: shuffles and votes without a mask, code chosen by __CUDA_ARCH__, a kernel argument whose
// class has a destructor.
#include <cuda_runtime.h>

#include <cstdio>

#if __CUDA_ARCH__ >= 300
__device__ int warp_sum(int value) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down(value, distance);
  return value;
}
#endif

/// Copies share the counter; the owner counts how often it was destroyed on the host.
struct Counter {
  int* count;
  int* n_destroyed;
  ~Counter() {
    ++*n_destroyed;
    cudaFree(nullptr);  // what owners of device memory do here must not count as a call inside a kernel
  }
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
  if (value % 2) out[i / 32 + 8] = __shfl(value, 31);  // only the lanes that are here take part
}

int main() {
  int host[256], expected[16] = {}, result[16], n_odd = 0, counted = 0, n_destroyed = 0;
  for (int i = 0; i < 256; ++i) {
    host[i] = i % 32 == 31 ? 7 + 2 * (i / 32) : i * 5 % 23;
    expected[i / 32] += host[i];
    n_odd += host[i] % 2;
  }
  for (int warp = 0; warp < 8; ++warp) expected[warp + 8] = host[warp * 32 + 31];
  int *in, *out, *count;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof result);
  cudaMalloc(&count, sizeof(int));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(count, 0, sizeof(int));
  {
    Counter odd{count, &n_destroyed};
    sums<<<2, 128>>>(in, out, odd);
  }
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  cudaMemcpy(&counted, count, sizeof(int), cudaMemcpyDeviceToHost);
  bool right = counted == n_odd && cudaGetLastError() == cudaSuccess;
  for (int i = 0; i < 16; ++i) right = right && result[i] == expected[i];
  cudaFree(in);
  cudaFree(out);
  cudaFree(count);
  std::printf(right ? "PASS\n" : "FAIL\n");
  return right ? 0 : 1;
}
