// expect: divergent_barrier kernel=planes line=12 other=15
// allow: divergent_barrier kernel=planes line=15 other=17
// The bottom plane of the block waits at a barrier in a separate branch.
#include <cuda_runtime.h>

__global__ void planes(int* out) {
  __shared__ int s[4][4][4];
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  s[z][y][x] = x + y + z;
  if (z == 0) {
    s[z][y][x] = -1;
    __syncthreads();
  }
  s[z][y][x] += 5;
  __syncthreads();
  out[(z * 4 + y) * 4 + x] = s[z][y][x];
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  planes<<<1, dim3(4, 4, 4)>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
