// expect: clean
// Lanes that are active together form a coalesced group, in any combination.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void append(const int* in, int n, int* out, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 3 == 1) {
    cg::coalesced_group active = cg::coalesced_threads();
    int base = 0;
    if (active.thread_rank() == 0) base = atomicAdd(count, static_cast<int>(active.size()));
    base = active.shfl(base, 0);
    out[base + active.thread_rank()] = in[i];
  }
}

int main() {
  const int n = 150;
  int host[n], *in, *out, *count;
  for (int i = 0; i < n; ++i) host[i] = i * 7 % 50;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMalloc(&count, sizeof(int));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(count, 0, sizeof(int));
  append<<<3, 64>>>(in, n, out, count);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  cudaFree(count);
  return 0;
}
