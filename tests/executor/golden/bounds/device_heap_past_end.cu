// expect: out_of_bounds kernel=scratch line=10 space=global
// The last iteration of the loop writes past the thread's device-heap allocation.
#include <cuda_runtime.h>

__global__ void scratch(int* out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int* mine = static_cast<int*>(malloc(8 * sizeof(int)));
  for (int k = 0; k < turns; ++k) {
    mine[k] = i * k;
  }
  out[i] = mine[i % 8];
  free(mine);
}

int main() {
  const int n = 40;
  int* out;
  cudaMalloc(&out, n * sizeof(int));
  scratch<<<2, 32>>>(out, n, 9);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
