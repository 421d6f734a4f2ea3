#include "library/core/cuda/launch.cuh"
#include "library/ptx/cluster.cuh"
#include "library/ptx/memory_order.cuh"
#include "library/ptx/tma.cuh"
#include "wrappers.hpp"

namespace rafter::test::RAFTER_BACKEND {
namespace {

constexpr int n_blocks = 4, tile = 256, n_stages = 2;
constexpr unsigned all_ranks = (1u << n_blocks) - 1;

// Blocks alternate: block i % n_blocks loads tile i for all blocks, when all have released the stage.
template <bool Bulk>
__global__ void add_tiles_of_all(int n_tiles, const __grid_constant__ ptx::TensorMap<float, 1> map, const float* in,
                                 float* out) {
  __shared__ __align__(128) float stage[n_stages][tile];
  __shared__ ptx::Mbarrier full[n_stages], empty[n_stages];
  const int t = static_cast<int>(threadIdx.x), rank = static_cast<int>(ptx::cluster_rank());
  if (t == 0) {
    for (int s = 0; s < n_stages; ++s) {
      ptx::mbarrier_init(full[s], 1);
      ptx::mbarrier_init(empty[s], n_blocks);
    }
    ptx::fence_mbarrier_init();
  }
  ptx::cluster_sync();  // all blocks' mbarriers are initialised
  float sum = 10.f * static_cast<float>(rank);
  for (int i = 0; i < n_tiles; ++i) {
    const int s = i % n_stages, round = i / n_stages;
    if (t == 0) {
      ptx::mbarrier_arrive_expect_tx(full[s], tile * 4);
      ptx::mbarrier_arrive_remote(empty[s], static_cast<unsigned>(i % n_blocks));  // this block releases the stage
      if (i % n_blocks == rank) {
        ptx::mbarrier_wait_cluster(empty[s], i / n_blocks % 2);
        if constexpr (Bulk) {
          ptx::bulk_load_multicast(stage[s], in + i * tile, tile * 4, full[s], all_ranks);
        } else {
          ptx::tma_load_multicast(stage[s], map, ptx::TileAt<1>{{i * tile}}, full[s], all_ranks);
        }
      }
    }
    ptx::mbarrier_wait(full[s], round % 2);
    sum += stage[s][t];
    __syncthreads();  // all threads have read the tile
  }
  out[rank * tile + t] = sum;
  ptx::cluster_sync();  // no block arrives at an mbarrier of a block that has exited
}

void multicast(const Stream& stream, bool bulk, int n_tiles, const float* in, float* out) {
  const auto map = ptx::make_tensor_map(in, ptx::TensorLayout<1>{.extent = {n_tiles * tile}, .tile = {tile}});
  core::launch_clusters(bulk ? add_tiles_of_all<true> : add_tiles_of_all<false>, n_blocks, n_blocks, tile, 0, stream,
                        n_tiles, map, in, out);
}

__global__ void store_to_next(float* out) {
  __shared__ float from_before[tile];
  __shared__ ptx::Mbarrier full;
  const int t = static_cast<int>(threadIdx.x), rank = static_cast<int>(ptx::cluster_rank());
  if (t == 0) {
    ptx::mbarrier_init(full, 1);
    ptx::fence_mbarrier_init();
    ptx::mbarrier_arrive_expect_tx(full, tile * 4);
  }
  ptx::cluster_sync();  // all blocks' mbarriers are initialised
  ptx::store_async(&from_before[t], static_cast<float>(1000 * rank + t), full,
                   static_cast<unsigned>((rank + 1) % n_blocks));
  ptx::mbarrier_wait_cluster(full, 0);
  out[rank * tile + t] = from_before[t];
}

void stores(const Stream& stream, float* out) {
  core::launch_clusters(store_to_next, n_blocks, n_blocks, tile, 0, stream, out);
}

}  // namespace

ClusterWrappers cluster_wrappers() { return {multicast, stores}; }

}  // namespace rafter::test::RAFTER_BACKEND
