// expect: clean
// cudaFree gets the pointer that cudaMalloc returned.
#include <cuda_runtime.h>

__global__ void set(float* data, float value) { data[threadIdx.x] = value; }

int main() {
  float* data;
  cudaMalloc(&data, 96 * sizeof(float));
  float* cursor = data;
  for (int k = 0; k < 3; ++k, cursor += 32) set<<<1, 32>>>(cursor, k);
  cudaDeviceSynchronize();
  cudaFree(data);
  return 0;
}
