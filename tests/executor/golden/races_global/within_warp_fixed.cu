// expect: clean
// __syncwarp orders the lanes' memory accesses.
#include <cuda_runtime.h>

__global__ void exchange(int* slots, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  slots[i] = 3 * i + 7;
  __syncwarp();
  out[i] = slots[i ^ 16];
}

int main() {
  int *slots, *out;
  cudaMalloc(&slots, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(slots, 0, 64 * sizeof(int));
  exchange<<<1, 64>>>(slots, out);
  cudaDeviceSynchronize();
  cudaFree(slots);
  cudaFree(out);
  return 0;
}
