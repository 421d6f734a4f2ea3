// expect: race kernel=scan line=13 other=12 space=shared
// An in-place Hillis-Steele scan needs a barrier between reading and adding.
#include <cuda_runtime.h>

__global__ void scan(int* data) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = data[t];
  __syncthreads();
  for (int d = 1; d < 256; d <<= 1) {
    int left = 0;
    if (t >= d) left = s[t - d];
    s[t] += left;
    __syncthreads();
  }
  data[t] = s[t];
}

int main() {
  int* data;
  cudaMalloc(&data, 256 * sizeof(int));
  cudaMemset(data, 1, 256 * sizeof(int));
  scan<<<1, 256>>>(data);
  cudaDeviceSynchronize();
  cudaFree(data);
  return 0;
}
