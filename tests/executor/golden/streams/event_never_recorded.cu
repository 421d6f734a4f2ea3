// expect: event_not_recorded kernel=- line=22
// expect: stream_race kernel=twice line=8 other=6
// The stream waits for an event that is never recorded.
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


  // cudaEventRecord(filled, first) is missing
  cudaStreamWaitEvent(second, filled, 0);
  twice<<<1, 96, 0, second>>>(data);
  cudaDeviceSynchronize();
  cudaEventDestroy(filled);
  cudaFree(data);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return 0;
}
