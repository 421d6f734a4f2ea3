// expect: race kernel=reverse line=14 other=16 space=shared
// allow: uninitialised kernel=reverse line=16 space=shared
// The tile of one warp is synchronised, but its values come from the other warp of the tile of 64 threads.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void reverse(int* out) {
  __shared__ int values[128];
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
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
