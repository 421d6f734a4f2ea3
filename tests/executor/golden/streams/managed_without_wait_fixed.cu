// expect: clean
// The host sums managed memory after waiting for the launch that fills it.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void square(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = i * i;
}

int main() {
  const int n = 300;
  int *data;
  long long sum = 0;
  cudaMallocManaged(&data, n * sizeof(int));
  for (int i = 0; i < n; ++i) data[i] = 0;
  square<<<3, 128>>>(data, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) {
    sum += data[i];
  }
  printf("%lld\n", sum);
  cudaFree(data);
  return 0;
}
