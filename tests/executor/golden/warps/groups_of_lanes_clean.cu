// expect: clean
// Halves, quarters and data-dependent groups of a warp shuffle and synchronise separately, in different orders.
#include <cuda_runtime.h>

__global__ void groups(const int* in, int* out) {
  __shared__ int s[32];
  int lane = threadIdx.x, v = in[lane];
  unsigned peers = __match_any_sync(0xffffffffu, v % 3);
  int leader = __ffs(peers) - 1, sum = 0;
  for (unsigned rest = peers; rest; rest &= rest - 1) {
    sum += __shfl_sync(peers, v, __ffs(rest) - 1);
  }
  if (lane == leader) s[leader] = sum;
  __syncwarp(peers);
  v = s[leader];
  if (lane < 8) {
    v += __shfl_down_sync(0x000000ffu, v, 4, 8);
  } else if (lane < 16) {
    v += __shfl_xor_sync(0x0000ff00u, v, 3, 8);
    __syncwarp(0x0000ff00u);
  } else {
    v += __shfl_up_sync(0xffff0000u, v, 1, 16);
  }
  unsigned even = __ballot_sync(0xffffffffu, v % 2 == 0);
  if (even >> lane & 1) v += __popc(__ballot_sync(even, v > 10));
  out[lane] = v;
}

int main() {
  int host[32], *in, *out;
  for (int i = 0; i < 32; ++i) host[i] = i * i % 11;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  groups<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
