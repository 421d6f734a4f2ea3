// expect: clean
// The tile of 64 threads is synchronised, within which the values are exchanged.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void reverse(int* out) {
  __shared__ int values[128];
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  const int i = threadIdx.x, opposite = i / 64 * 64 + 63 - i % 64;
  values[i] = i;
  tile.sync();
  out[i] = values[opposite];
}

int main() {
  int *out, host[128];
  cudaMalloc(&out, sizeof host);
  reverse<<<1, 128>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  cudaFree(out);
}
