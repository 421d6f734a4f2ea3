// expect: clean
// Memory of cudaMallocAsync is freed after a wait for its stream.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void fill(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = i;
}

int main() {
  const int n = 256;
  int *data;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocAsync(&data, n * sizeof(int), stream);
  fill<<<1, n, 0, stream>>>(data, n);


  cudaStreamSynchronize(stream);
  cudaFree(data);
  printf("freed\n");
  cudaStreamDestroy(stream);
  return 0;
}
