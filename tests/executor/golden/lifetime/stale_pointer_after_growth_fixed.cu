// expect: clean
// The pointer is read after the reallocation.
#include <cuda_runtime.h>

struct Buffer {
  float* data = nullptr;
  int capacity = 0;
  void grow(int n) {
    float* bigger;
    cudaMalloc(&bigger, n * sizeof(float));
    if (data) cudaMemcpy(bigger, data, capacity * sizeof(float), cudaMemcpyDeviceToDevice);
    cudaFree(data);
    data = bigger;
    capacity = n;
  }
};

__global__ void append(float* data, int first, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[first + i] = i;
}

int main() {
  Buffer b;
  b.grow(64);
  append<<<1, 64>>>(b.data, 0, 64);
  b.grow(100);
  float* data = b.data;
  append<<<1, 64>>>(data, 20, 36);
  cudaDeviceSynchronize();
  cudaFree(b.data);
  return 0;
}
