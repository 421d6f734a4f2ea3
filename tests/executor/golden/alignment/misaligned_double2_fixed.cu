// expect: clean
// double2 loads that start at the first double.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void scale(double *numbers, double by) {
  double2 pair = ((double2 *)numbers)[threadIdx.x];
  numbers[threadIdx.x] = pair.x * by;
}

int main() {
  double *numbers, first;
  cudaMalloc(&numbers, 65 * sizeof(double));
  cudaMemset(numbers, 0, 65 * sizeof(double));
  scale<<<1, 1>>>(numbers, 2.0);
  cudaMemcpy(&first, numbers, sizeof(first), cudaMemcpyDeviceToHost);
  printf("%g\n", first);
  cudaFree(numbers);
  return 0;
}
