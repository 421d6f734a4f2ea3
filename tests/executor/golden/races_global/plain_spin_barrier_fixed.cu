// Blocks wait for each other with a volatile counter.
// expect: clean
#include <cstdio>
__global__ void exchange(unsigned* counter, int* a, int* b) {
  a[blockIdx.x] = static_cast<int>(blockIdx.x) + 1;
  __threadfence();
  atomicAdd(counter, 1);
  while (*static_cast<volatile unsigned*>(counter) < gridDim.x) {
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
