// expect: clean
// One of the two frees the buffer.
#include <cuda_runtime.h>

__global__ void clear(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = 0;
}

int main() {
  int* data;
  cudaMalloc(&data, 200 * sizeof(int));
  clear<<<2, 128>>>(data, 200);
  cudaDeviceSynchronize();
  int* alias = data;
  cudaFree(data);
  alias = nullptr;
  cudaFree(alias);
  return 0;
}
