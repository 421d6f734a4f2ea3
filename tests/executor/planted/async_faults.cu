#include "async_faults.hpp"
#include "library/core/cuda/launch.cuh"
#include "library/ptx/async_copy.cuh"
#include "library/ptx/cluster.cuh"
#include "library/ptx/matrix.cuh"
#include "library/ptx/memory_order.cuh"
#include "library/ptx/tma.cuh"
#include "library/ptx/wgmma.cuh"

namespace rafter::planted {
namespace {

constexpr int tile_x = 32, tile_y = 4;
constexpr int tile_bytes = tile_elements * 4;
constexpr int n_stages = 2;

struct alignas(128) Tile {
  float at[tile_elements];
};

ptx::TensorMap<float, 2> tiles_of(const float* array) {
  return ptx::make_tensor_map<float, 2>(array, {{tile_x, n_tiles * tile_y}, {tile_x, tile_y}});
}

__device__ void take_tile(const Tile& tile, float* out, int lane) {
  for (int i = lane; i < tile_elements; i += 32) out[i] = 2 * tile.at[tile_elements - 1 - i];
}

// Thread 32 loads tiles, warp 0 consumes them.
__global__ void pipeline(const __grid_constant__ ptx::TensorMap<float, 2> map, Fault fault, float* in, float* out) {
  __shared__ Tile stage[n_stages];
  __shared__ ptx::Mbarrier full[n_stages], empty[n_stages];
  const int t = static_cast<int>(threadIdx.x);
  for (int i = t; i < n_stages * tile_elements; i += 64) stage[0].at[i] = 0;
  if (t == 0) {
    for (int i = 0; i < n_stages; ++i) {
      if (fault != Fault::missing_init) ptx::mbarrier_init(full[i], 1);
      ptx::mbarrier_init(empty[i], 1);
    }
    ptx::fence_mbarrier_init();
  }
  if (fault != Fault::missing_shared_fence) ptx::fence_proxy_async_shared();
  if (fault != Fault::missing_init_barrier) __syncthreads();  // mbarriers are initialised and zeros written
  if (t == 32) {
    for (int i = 0; i < n_tiles; ++i) {
      const int s = i % n_stages, round = i / n_stages;
      if (round > 0 && fault != Fault::early_refill) ptx::mbarrier_wait(empty[s], (round - 1) % 2);
      ptx::mbarrier_arrive_expect_tx(full[s], tile_bytes + (fault == Fault::too_many_bytes  ? 16
                                                            : fault == Fault::too_few_bytes ? -16
                                                                                            : 0));
      ptx::tma_load(stage[s].at, map, {0, i * tile_y}, full[s]);  // fills a stage
    }
    if (fault == Fault::source_written) in[n_tiles * tile_elements - 1] = 1;
  }
  if (t >= 32) return;
  for (int i = 0; i < n_tiles - (fault == Fault::never_waited ? 1 : 0); ++i) {
    const int s = i % n_stages, round = i / n_stages;
    if (fault != Fault::read_before_wait)
      ptx::mbarrier_wait(full[s], (round + (fault == Fault::wrong_parity ? 1 : 0)) % 2);
    take_tile(stage[s], out + i * tile_elements, t);
    ptx::fence_proxy_async_shared();
    __syncwarp();
    if (t == 0 && fault != Fault::missing_arrival)
      ptx::mbarrier_arrive(empty[s], fault == Fault::too_many_arrivals ? 2 : 1);
  }
}

__global__ void stores(const __grid_constant__ ptx::TensorMap<float, 2> map, Fault fault, const float* in) {
  __shared__ Tile buffer;
  const int t = static_cast<int>(threadIdx.x);
  for (int i = 0; i < n_tiles; ++i) {
    if (t == 0 && fault != Fault::store_overwritten) ptx::bulk_wait_read<0>();
    __syncthreads();  // the buffer has been read
    for (int k = t; k < tile_elements; k += 64) buffer.at[k] = 2 * in[i * tile_elements + k];
    if (fault != Fault::store_without_fence) ptx::fence_proxy_async_shared();
    __syncthreads();  // the buffer is full
    if (t == 0) {
      ptx::tma_store(map, {0, i * tile_y}, buffer.at);
      ptx::bulk_commit();
    }
  }
  if (t == 0 && fault != Fault::store_never_waited) ptx::bulk_wait<0>();
}

__global__ void copies(Fault fault, const float* in, float* out) {
  __shared__ Tile stage[n_stages];
  const int t = static_cast<int>(threadIdx.x);
  const auto start = [&](int i) {
    if (i < n_tiles && t < 32) ptx::copy_async<16>(&stage[i % n_stages].at[4 * t], in + i * tile_elements + 4 * t);
    ptx::copy_async_commit();
  };
  start(0);
  for (int i = 0; i < n_tiles; ++i) {
    start(i + 1);
    if (fault == Fault::copy_overwritten) stage[(i + 1) % n_stages].at[t] = 0;
    if (fault != Fault::copy_without_wait) ptx::copy_async_wait<1>();
    if (fault != Fault::copy_without_barrier) __syncthreads();  // the tile is complete for all threads
    for (int k = t; k < tile_elements; k += 64) out[i * tile_elements + k] = 2 * stage[i % n_stages].at[k];
    __syncthreads();  // all threads have read the tile
  }
}

// Block 0 writes `work`, block 1 loads it.
__global__ void publish(const __grid_constant__ ptx::TensorMap<float, 2> work_map, Fault fault, const float* in,
                        float* work, int* flag, float* out) {
  __shared__ Tile tile;
  __shared__ ptx::Mbarrier full;
  const int lane = static_cast<int>(threadIdx.x);
  if (blockIdx.x == 0) {
    for (int i = lane; i < n_tiles * tile_elements; i += 32) work[i] = 2 * in[i];
    __syncwarp();
    if (lane == 0 && fault == Fault::published_without_release) atomicAdd(flag, 1);
    if (lane == 0 && fault != Fault::published_without_release) ptx::red_release(flag, 1);
    return;
  }
  if (lane == 0) {
    ptx::mbarrier_init(full, 1);
    ptx::fence_mbarrier_init();
  }
  __syncthreads();  // the mbarrier is initialised
  for (int i = 0; i < n_tiles; ++i) {
    if (lane == 0) {
      while (ptx::load_acquire(flag) == 0) __nanosleep(20);
      if (fault != Fault::published_without_fence) ptx::fence_proxy_async_global();
      ptx::fence_proxy_async_shared();
      ptx::mbarrier_arrive_expect_tx(full, tile_bytes);
      ptx::tma_load(tile.at, work_map, {0, i * tile_y}, full);
    }
    ptx::mbarrier_wait(full, i % 2);
    for (int k = lane; k < tile_elements; k += 32) out[i * tile_elements + k] = tile.at[k];
    ptx::fence_proxy_async_shared();
    __syncwarp();
  }
}

__global__ void load_matrix(Fault fault, const unsigned short* in, unsigned* out) {
  __shared__ __align__(16) unsigned short matrix[8][8];
  const int lane = static_cast<int>(threadIdx.x);
  for (int i = lane; i < 64; i += 32) matrix[i / 8][i % 8] = in[i];
  if (fault != Fault::matrix_without_sync) __syncwarp();
  unsigned fragment[1];
  ptx::ldmatrix<1>(fragment, matrix[lane % 8]);
  out[lane] = fragment[0];
}

__global__ void copies_arrive(Fault fault, const float* in, float* out) {
  __shared__ Tile tile[n_tiles];
  __shared__ ptx::Mbarrier full;
  const int t = static_cast<int>(threadIdx.x);
  if (t == 0) ptx::mbarrier_init(full, 32);
  __syncthreads();  // the mbarrier is initialised
  if (fault == Fault::arrival_before_copy) ptx::copy_async_mbarrier_arrive_noinc(full);
  for (int i = 0; i < n_tiles; ++i) ptx::copy_async<16>(&tile[i].at[4 * t], &in[i * tile_elements + 4 * t]);
  if (fault == Fault::arrival_too_many && t == 0) ptx::mbarrier_arrive(full);
  if (fault != Fault::arrival_before_copy) ptx::copy_async_mbarrier_arrive_noinc(full);  // arrives
  ptx::mbarrier_wait(full, 0);
  for (int i = 0; i < n_tiles; ++i) take_tile(tile[i], out + i * tile_elements, t);
}

// Thread 0 of the first block loads tiles into both blocks; each block consumes half of every tile.
__global__ void cluster_tiles(const __grid_constant__ ptx::TensorMap<float, 2> map, Fault fault, float* out) {
  __shared__ Tile stage[n_stages];
  __shared__ ptx::Mbarrier full[n_stages], empty[n_stages];
  const int t = static_cast<int>(threadIdx.x), rank = static_cast<int>(ptx::cluster_rank());
  if (t == 0) {
    for (int s = 0; s < n_stages; ++s) {
      ptx::mbarrier_init(full[s], 1);
      ptx::mbarrier_init(empty[s], 2);
    }
    ptx::fence_mbarrier_init();
  }
  if (fault != Fault::multicast_without_begin) ptx::cluster_sync();  // both blocks' mbarriers are initialised
  __syncthreads();
  for (int i = 0; i < n_tiles; ++i) {
    const int s = i % n_stages, round = i / n_stages;
    if (t == 0) {
      const bool is_short = fault == Fault::multicast_not_expected && rank == 1 && i == 2;
      ptx::mbarrier_arrive_expect_tx(full[s], is_short ? tile_bytes - 16 : tile_bytes);
      if (rank == 0) {
        if (round > 0 && fault != Fault::multicast_early_refill)
          ptx::mbarrier_wait_cluster(empty[s], (round - 1) % 2);  // both blocks are done with the stage
        ptx::tma_load_multicast(stage[s].at, map, {{0, i * tile_y}}, full[s], 3u);  // for both
      }
    }
    ptx::mbarrier_wait(full[s], round % 2);
    if (t / 16 == rank) {
      for (int k = t; k < tile_elements; k += 32) {
        out[i * tile_elements + k] = 2 * stage[s].at[tile_elements - 1 - k];  // takes
      }
    }
    __syncthreads();  // all threads have read
    if (t == 0) ptx::mbarrier_arrive_remote(empty[s], 0);
  }
  if (fault != Fault::multicast_without_end) ptx::cluster_sync();  // keeps both blocks until the last remote arrival
}

__global__ void cluster_numbers(Fault fault, const float* in, float* out) {
  __shared__ Tile from_first[n_tiles];
  __shared__ ptx::Mbarrier full;
  const int t = static_cast<int>(threadIdx.x), rank = static_cast<int>(ptx::cluster_rank());
  if (t == 0) {
    const int bytes = n_tiles * tile_bytes;
    ptx::mbarrier_init(full, 1);
    ptx::fence_mbarrier_init();
    ptx::mbarrier_arrive_expect_tx(full, fault == Fault::store_async_too_few ? bytes + 4 : bytes);
  }
  ptx::cluster_sync();  // both blocks' mbarriers are initialised
  if (rank == 0) {
    for (int i = t; i < n_tiles * tile_elements; i += 32)
      ptx::store_async(&from_first[i / tile_elements].at[i % tile_elements], in[i], full, 1);  // stores
    return;
  }
  if (fault != Fault::store_async_read_early) ptx::mbarrier_wait_cluster(full, 0);
  for (int i = 0; i < n_tiles; ++i) take_tile(from_first[i], out + i * tile_elements, t);
}

__global__ void multiply(Fault fault, float* out) {
  __shared__ __align__(1024) unsigned short ones[64 * 16];
  const int t = static_cast<int>(threadIdx.x);
  for (int i = t; i < 64 * 16; i += static_cast<int>(blockDim.x)) ones[i] = 0x3c00;  // 1 as a half
  if (fault != Fault::product_without_proxy_fence) ptx::fence_proxy_async_shared();
  __syncthreads();  // the matrix is written
  const ptx::MatrixDescriptor matrix = ptx::matrix_descriptor(ones, ptx::Swizzle::bytes_32, 0, 256);
  float d[4] = {};
  if (fault != Fault::product_without_fence) ptx::wgmma_fence(d);
  ptx::wgmma<8, __half>(d, matrix, matrix, ptx::Accumulate::yes);
  ptx::wgmma_commit();
  if (fault == Fault::product_overwritten && t == 0) ones[0] = 0;
  if (fault == Fault::product_read_before_wait) out[t] = d[0];
  ptx::wgmma_wait<0>(d);
  for (int i = 0; i < 4; ++i) out[i * 128 + t] = d[i];
}

}  // namespace

void warpgroup_product(const Stream& stream, Fault fault, float* out) {
  core::launch(multiply, 1, fault == Fault::product_of_half_a_warpgroup ? 64 : 128, 0, stream, fault, out);
}
void tma_pipeline(const Stream& stream, Fault fault, float* in, float* out) {
  core::launch(pipeline, 1, 64, 0, stream, tiles_of(in), fault, in, out);
}
void tma_stores(const Stream& stream, Fault fault, const float* in, float* out) {
  core::launch(stores, 1, 64, 0, stream, tiles_of(out), fault, in);
}
void arriving_copies(const Stream& stream, Fault fault, const float* in, float* out) {
  core::launch(copies_arrive, 1, 32, 0, stream, fault, in, out);
}
void cluster_pipeline(const Stream& stream, Fault fault, const float* in, float* out) {
  core::launch_clusters(cluster_tiles, 2, 2, 32, 0, stream, tiles_of(in), fault, out);
}
void cluster_stores(const Stream& stream, Fault fault, const float* in, float* out) {
  core::launch_clusters(cluster_numbers, 2, 2, 32, 0, stream, fault, in, out);
}
void thread_copies(const Stream& stream, Fault fault, const float* in, float* out) {
  core::launch(copies, 1, 64, 0, stream, fault, in, out);
}
void published_array(const Stream& stream, Fault fault, const float* in, float* work, int* flag, float* out) {
  core::launch(publish, 2, 32, 0, stream, tiles_of(work), fault, in, work, flag, out);
}
void loaded_matrix(const Stream& stream, Fault fault, const unsigned short* in, unsigned* out) {
  core::launch(load_matrix, 1, 32, 0, stream, fault, in, out);
}

}  // namespace rafter::planted
