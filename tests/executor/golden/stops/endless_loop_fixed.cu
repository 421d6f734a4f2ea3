// expect: clean
// options: --time-limit 1
// A loop that runs until its number is 1; no number is 0.
#include <cuda_runtime.h>

__global__ void halve(int* numbers, int* steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (steps[i] = 0; numbers[i] != 1; ++steps[i]) numbers[i] /= 2;
}

int main() {
  int host[64], *numbers, *steps;
  for (int i = 0; i < 64; ++i) host[i] = i + 1;
  cudaMalloc(&numbers, sizeof host);
  cudaMalloc(&steps, sizeof host);
  cudaMemcpy(numbers, host, sizeof host, cudaMemcpyHostToDevice);
  halve<<<2, 32>>>(numbers, steps);
  cudaDeviceSynchronize();
  cudaFree(numbers);
  cudaFree(steps);
  return 0;
}
