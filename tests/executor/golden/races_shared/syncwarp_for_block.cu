// expect: race kernel=reverse line=10 other=12 space=shared
// __syncwarp is used where data crosses warps.
#include <cuda_runtime.h>

__global__ void reverse(int* data) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  s[t] = data[t];
  __syncwarp();
  data[t] = s[127 - t];
}

int main() {
  int* data;
  cudaMalloc(&data, 128 * sizeof(int));
  cudaMemset(data, 1, 128 * sizeof(int));
  reverse<<<1, 128>>>(data);
  cudaDeviceSynchronize();
  cudaFree(data);
  return 0;
}
