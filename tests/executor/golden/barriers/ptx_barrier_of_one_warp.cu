// expect: race kernel=exchange line=10 other=12 space=shared
// allow: uninitialised kernel=exchange line=12 space=shared
// The barrier waits for 32 threads: each warp completes it alone.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void exchange(int* out) {
  __shared__ int values[64];
  values[threadIdx.x] = threadIdx.x;
  asm volatile("bar.sync %0, %1;" : : "r"(1), "n"(32) : "memory");
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
