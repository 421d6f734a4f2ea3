// expect: clean
// The callback is in the stream that fills the buffer.
#include <cuda_runtime.h>
#include <stdio.h>

static int sum = 0;

__global__ void fill(int *data, int n) {
  int i = threadIdx.x;
  if (i < n) data[i] = i;
}

void CUDART_CB add_up(cudaStream_t, cudaError_t, void *data) {
  const int *result = static_cast<const int *>(data);


  for (int i = 0; i < 64; ++i)
    sum += result[i];
}

int main() {
  int *data, *pinned;
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMallocHost(&pinned, 64 * sizeof(int));
  fill<<<1, 64, 0, first>>>(data, 64);


  cudaMemcpyAsync(pinned, data, 64 * sizeof(int), cudaMemcpyDeviceToHost, first);
  cudaStreamAddCallback(first, add_up, pinned, 0);
  cudaDeviceSynchronize();
  printf("%d\n", sum);
  cudaFreeHost(pinned);
  cudaFree(data);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return 0;
}
