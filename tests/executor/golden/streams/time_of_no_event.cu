// expect: event_not_recorded kernel=- line=20
// The first event is created but not recorded: there is no elapsed time.
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
  // cudaEventRecord(before) is missing
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
