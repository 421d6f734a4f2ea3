// expect: clean
// The first index wraps to the last bin.
#include <cuda_runtime.h>

__global__ void scatter(const int* at, int* out) {
  __shared__ int bins[64];
  bins[threadIdx.x] = 0;
  __syncthreads();
  bins[at[threadIdx.x]] = 1;
  __syncthreads();
  out[threadIdx.x] = bins[threadIdx.x];
}

int main() {
  int host[64], *at, *out;
  for (int i = 0; i < 64; ++i) host[i] = (i + 63) % 64;
  cudaMalloc(&at, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(at, host, sizeof(host), cudaMemcpyHostToDevice);
  scatter<<<1, 64>>>(at, out);
  cudaDeviceSynchronize();
  cudaFree(at);
  cudaFree(out);
  return 0;
}
