// expect: clean
// The event is recorded before the stream waits for it.
#include <cuda_runtime.h>

__global__ void fill(int *data) { data[threadIdx.x] = threadIdx.x; }

__global__ void twice(int *data) { data[threadIdx.x] *= 2; }

int main() {
  int *data;
  cudaStream_t first, second;
  cudaEvent_t filled;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEventCreate(&filled);
  cudaMalloc(&data, 96 * sizeof(int));
  fill<<<1, 96, 0, first>>>(data);


  cudaEventRecord(filled, first);
  cudaStreamWaitEvent(second, filled, 0);
  twice<<<1, 96, 0, second>>>(data);
  cudaDeviceSynchronize();
  cudaEventDestroy(filled);
  cudaFree(data);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return 0;
}
