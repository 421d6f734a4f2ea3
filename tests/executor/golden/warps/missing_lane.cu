// expect: bad_mask kernel=vote line=9 other=11
// The ballot waits for lanes that wait elsewhere for the ballot's lanes.
#include <cuda_runtime.h>

__global__ void vote(const int* in, unsigned* out) {
  int lane = threadIdx.x, v = in[lane];
  unsigned votes = 0;
  if (v > lane) {
    votes = __ballot_sync(0xffffffffu, v > 20);
  } else {
    votes = __shfl_sync(0xffffffffu, v, 0);
  }
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
