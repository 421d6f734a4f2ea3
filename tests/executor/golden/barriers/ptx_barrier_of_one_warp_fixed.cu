// expect: clean
// The barrier waits for the 64 threads of both warps.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void exchange(int* out) {
  __shared__ int values[64];
  values[threadIdx.x] = threadIdx.x;
  asm volatile("bar.sync %0, %1;" : : "r"(1), "n"(64) : "memory");
  out[threadIdx.x] = values[63 - threadIdx.x];
}

int main() {
  int *out, host[64];
  cudaMalloc(&out, sizeof host);
  exchange<<<1, 64>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  cudaFree(out);
}
