// expect: clean
// All lanes vote first.
#include <cuda_runtime.h>

__global__ void vote(const int* in, unsigned* out) {
  int lane = threadIdx.x, v = in[lane];
  unsigned votes = 0;
  votes = __ballot_sync(0xffffffffu, v > 20);
  unsigned first = __shfl_sync(0xffffffffu, v, 0);
  if (v <= lane) votes = first;
  out[lane] = votes;
}

int main() {
  int host[32], *in;
  unsigned* out;
  for (int i = 0; i < 32; ++i) host[i] = 16;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, 32 * sizeof(unsigned));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  vote<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
