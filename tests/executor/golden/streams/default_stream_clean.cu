// expect: clean
// The legacy default stream and blocking streams wait for each other, without events and without a wait by the host.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void fill(int *data, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = value;
}

__global__ void add(const int *a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] += a[i];
}

int main() {
  const int n = 300;
  int *a, *b, host[n];
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  cudaMemset(b, 0, n * sizeof(int));
  fill<<<3, 128, 0, first>>>(a, n, 1);
  add<<<3, 128>>>(a, b, n);             // after `first`
  fill<<<3, 128, 0, second>>>(a, n, 2); // after the default stream
  cudaMemset(b, 0, n * sizeof(int));    // after `second`
  add<<<3, 128, 0, first>>>(a, b, n);
  cudaMemcpy(host, b, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[7]);
  cudaFree(a);
  cudaFree(b);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return 0;
}
