// Blocks wait for each other with a plain counter.
// expect: race kernel=exchange space=global line=8 other=9
// allow: race kernel=exchange space=global line=6 other=12
#include <cstdio>
__global__ void exchange(unsigned* counter, int* a, int* b) {
  a[blockIdx.x] = static_cast<int>(blockIdx.x) + 1;
  __threadfence();
  atomicAdd(counter, 1);
  while (*counter < gridDim.x) {
  }
  __threadfence();
  b[blockIdx.x] = a[(blockIdx.x + 1) % gridDim.x];
}

int main() {
  unsigned* counter;
  int *a, first;
  cudaMalloc(&counter, sizeof(unsigned));
  cudaMalloc(&a, 8 * sizeof(int));
  cudaMemset(counter, 0, sizeof(unsigned));
  exchange<<<4, 1>>>(counter, a, a + 4);
  cudaMemcpy(&first, a + 4, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d\n", first);
  cudaFree(counter);
  cudaFree(a);
}
