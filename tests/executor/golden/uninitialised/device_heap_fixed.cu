// expect: clean
// The loop sums only the filled part.
#include <cuda_runtime.h>

__global__ void scratch(int* out, int used) {
  int* mine = static_cast<int*>(malloc(16 * sizeof(int)));
  for (int k = 0; k < 8; ++k) mine[k] = k + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < used; ++k) {
    sum += mine[k];
  }
  out[threadIdx.x] = sum;
  free(mine);
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  scratch<<<1, 32>>>(out, 8);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
