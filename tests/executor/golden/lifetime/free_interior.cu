// expect: invalid_free kernel=- line=13
// cudaFree gets a pointer into the middle of the allocation.
#include <cuda_runtime.h>

__global__ void set(float* data, float value) { data[threadIdx.x] = value; }

int main() {
  float* data;
  cudaMalloc(&data, 96 * sizeof(float));
  float* cursor = data;
  for (int k = 0; k < 3; ++k, cursor += 32) set<<<1, 32>>>(cursor, k);
  cudaDeviceSynchronize();
  cudaFree(cursor - 32);
  return 0;
}
