// expect: clean
// Both events are recorded.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void fill(int *data) { data[threadIdx.x] = threadIdx.x; }

int main() {
  int *data;
  float elapsed = -1;
  cudaEvent_t before, after;
  cudaEventCreate(&before);
  cudaEventCreate(&after);
  cudaMalloc(&data, 96 * sizeof(int));
  cudaEventRecord(before);
  fill<<<1, 96>>>(data);
  cudaEventRecord(after);
  cudaEventSynchronize(after);

  cudaEventElapsedTime(&elapsed, before, after);
  printf("%s\n", elapsed < 0 ? "no time" : "a time");
  cudaFree(data);
  cudaEventDestroy(before);
  cudaEventDestroy(after);
  return 0;
}
