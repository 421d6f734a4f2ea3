// expect: out_of_bounds kernel=shift line=10 space=global
// Only the device's side of a function reads past the end of the array.
#include <cuda_runtime.h>

#include <cstdio>

__host__ __device__ int neighbour(const int* values, int i) {
#ifdef __CUDA_ARCH__
  // The last thread has no neighbour.
  return values[i + 1];
#else
  return i + 1 < 32 ? values[i + 1] : 0;
#endif
}

__global__ void shift(const int* in, int* out) { out[threadIdx.x] = neighbour(in, threadIdx.x); }

int main() {
  int host[32], *in, *out;
  for (int i = 0; i < 32; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  shift<<<1, 32>>>(in, out);
  std::printf("%d %d\n", neighbour(host, 31), cudaDeviceSynchronize());
  cudaFree(in);
  cudaFree(out);
}
