// expect: clean
// The device's side of a function stays inside the array; the host's, which no kernel runs, would not.
#include <cuda_runtime.h>

#include <cstdio>

__host__ __device__ int neighbour(const int* values, int i) {
#ifdef __CUDA_ARCH__
  return i + 1 < 32 ? values[i + 1] : 0;
#else
  return values[i + 1];
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
  std::printf("%d %d\n", neighbour(host, 30), cudaDeviceSynchronize());
  cudaFree(in);
  cudaFree(out);
}
