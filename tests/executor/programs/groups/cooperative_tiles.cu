// Cooperative groups: tiles of 32 and 8, labelled coalesced aggregation, reduce over a generic group.
#include <cooperative_groups.h>
#include <stdio.h>
#include <vector>

namespace cg = cooperative_groups;

template <typename Group>
__device__ int tile_sum(Group g, int v) {
  for (int i = g.size() / 2; i > 0; i /= 2) v += g.shfl_down(v, i);
  return v;
}

__global__ void sum_by_tiles(const int* in, int n, int* sum32, int* sum8) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  auto eight = cg::tiled_partition<8>(block);

  int i = block.group_index().x * block.size() + block.thread_rank();
  int v = i < n ? in[i] : 0;
  int a = tile_sum(warp, v);
  int b = tile_sum(eight, v);
  if (warp.thread_rank() == 0) atomicAdd(sum32, a);
  if (eight.thread_rank() == 0) atomicAdd(sum8, b);
}

// One atomic per group of lanes that are active together.
__device__ int atomicAggInc(int* counter) {
  cg::coalesced_group active = cg::coalesced_threads();
  int base = 0;
  if (active.thread_rank() == 0) base = atomicAdd(counter, (int)active.size());
  return active.shfl(base, 0) + active.thread_rank();
}

__global__ void filter(const int* in, int n, int* out, int* count) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n && in[i] % 3 == 0) out[atomicAggInc(count)] = in[i];
}

// Each tile of 8 rotates its slice of shared memory; only the tile synchronises.
__global__ void rotate_in_tiles(const int* in, int* out, int n) {
  __shared__ int s[96];
  cg::thread_block cta = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(cta);
  int t = cta.thread_rank();
  int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : -1;
  tile.sync();
  int base = t - tile.thread_rank();
  int v = s[base + (tile.thread_rank() + 3) % tile.size()];
  tile.sync();
  s[t] = v + tile.meta_group_rank();
  cta.sync();
  if (i < n) out[i] = s[t];
}

int main() {
  const int n = 1000;
  std::vector<int> h(n);
  int want = 0, multiples = 0;
  for (int i = 0; i < n; i++) {
    h[i] = (i * 37) % 501;
    want += h[i];
    multiples += h[i] % 3 == 0;
  }
  int *in, *out, *acc;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&acc, 3 * sizeof(int));
  cudaMemset(acc, 0, 3 * sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);

  sum_by_tiles<<<(n + 127) / 128, 128>>>(in, n, acc, acc + 1);
  filter<<<(n + 95) / 96, 96>>>(in, n, out, acc + 2);
  int got[3];
  cudaMemcpy(got, acc, sizeof(got), cudaMemcpyDeviceToHost);
  std::vector<int> kept(n);
  cudaMemcpy(kept.data(), out, got[2] * sizeof(int), cudaMemcpyDeviceToHost);
  int bad = (got[0] != want) + (got[1] != want) + (got[2] != multiples);
  long long kept_sum = 0, want_kept = 0;
  for (int i = 0; i < got[2]; i++) kept_sum += kept[i], bad += kept[i] % 3 != 0;
  for (int v : h) want_kept += v % 3 == 0 ? v : 0;
  bad += kept_sum != want_kept;

  rotate_in_tiles<<<(n + 95) / 96, 96>>>(in, out, n);
  cudaMemcpy(kept.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++) {
    int t = i % 96, from = i - t % 8 + (t % 8 + 3) % 8;
    bad += kept[i] != (from < n ? h[from] : -1) + t / 8;
  }
  cudaFree(in); cudaFree(out); cudaFree(acc);
  printf("cooperative_tiles: %d bad\n", bad);
  return bad != 0 || cudaGetLastError() != cudaSuccess;
}
