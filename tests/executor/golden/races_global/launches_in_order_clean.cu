// expect: clean
// Two launches and a copy between them are ordered by their stream.
#include <cuda_runtime.h>

__global__ void produce(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = i;
}

__global__ void consume(const int* data, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = data[n - 1 - i];
}

int main() {
  const int n = 300;
  int *data, *copy, *out;
  cudaMalloc(&data, n * sizeof(int));
  cudaMalloc(&copy, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  for (int round = 0; round < 2; ++round) {
    produce<<<3, 128>>>(data, n);
    cudaMemcpyAsync(copy, data, n * sizeof(int), cudaMemcpyDeviceToDevice, 0);
    consume<<<5, 64>>>(copy, out, n);
    consume<<<3, 128>>>(out, data, n);
  }
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(copy);
  cudaFree(out);
  return 0;
}
