// expect: clean
// Threads write adjacent bytes and shorts of the same word; only whole words are shared later.
#include <cuda_runtime.h>

__global__ void pack(const int* in, unsigned* out) {
  __shared__ __align__(8) unsigned char bytes[64];
  __shared__ __align__(8) unsigned short shorts[64];
  int t = threadIdx.x;
  bytes[t] = static_cast<unsigned char>(in[t]);
  shorts[t] = static_cast<unsigned short>(in[t]);
  __syncthreads();
  if (t < 16) out[t] = reinterpret_cast<const unsigned*>(bytes)[t];
  if (t < 32) out[16 + t] = reinterpret_cast<const unsigned*>(shorts)[t];
}

int main() {
  int* in;
  unsigned* out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 48 * sizeof(unsigned));
  cudaMemset(in, 5, 64 * sizeof(int));
  pack<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
