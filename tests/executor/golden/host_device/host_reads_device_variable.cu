// expect: host_touches_device kernel=- line=14
// The host reads the host-side shadow of a __device__ variable.
#include <cuda_runtime.h>
#include <stdio.h>

__device__ int hits;

__global__ void count() { atomicAdd(&hits, 1); }

int main() {
  int value = 0;
  count<<<2, 32>>>();
  cudaDeviceSynchronize();
  value = hits;
  printf("%d hits\n", value);
  return 0;
}
