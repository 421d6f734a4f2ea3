#include "library/core/cuda/launch.cuh"
#include "library/ptx/async_copy.cuh"
#include "library/ptx/elect.cuh"
#include "library/ptx/memory_order.cuh"
#include "library/ptx/tma.cuh"
#include "wrappers.hpp"

namespace rafter::test::RAFTER_BACKEND {
namespace {

template <int Bytes>
__global__ void copy_by_threads(int valid, const unsigned char* in, unsigned char* out) {
  __shared__ __align__(16) unsigned char buffer[64 * Bytes];
  const int t = static_cast<int>(threadIdx.x);
  if (valid == Bytes) {
    ptx::copy_async<Bytes>(buffer + t * Bytes, in + t * Bytes);
  } else {
    ptx::copy_async_zero_fill<Bytes>(buffer + t * Bytes, in + t * Bytes, valid);
  }
  ptx::copy_async_commit();
  ptx::copy_async_wait<0>();
  __syncthreads();  // all copies are complete
  for (int i = t; i < 64 * Bytes; i += 64) out[i] = buffer[64 * Bytes - 1 - i];
}

void thread_copies(const Stream& stream, int bytes, int valid, const unsigned char* in, unsigned char* out) {
  const auto kernel = bytes == 4 ? copy_by_threads<4> : bytes == 8 ? copy_by_threads<8> : copy_by_threads<16>;
  core::launch(kernel, 1, 64, 0, stream, valid, in, out);
}

template <class T, int Rank>
__global__ void move_tile(const __grid_constant__ ptx::TensorMap<T, Rank> in,
                          const __grid_constant__ ptx::TensorMap<T, Rank> out, ptx::TileAt<Rank> from,
                          ptx::TileAt<Rank> to, int bytes, unsigned char* raw) {
  __shared__ __align__(1024) unsigned char buffer[16384];
  __shared__ ptx::Mbarrier full;
  const int t = static_cast<int>(threadIdx.x);
  if (t == 0) {
    ptx::mbarrier_init(full, 1);
    ptx::fence_mbarrier_init();
    ptx::fence_proxy_async_shared();
  }
  __syncthreads();  // the mbarrier is initialised
  if (t == 0) {
    ptx::mbarrier_arrive_expect_tx(full, bytes);
    ptx::tma_load(reinterpret_cast<T*>(buffer), in, from, full);
  }
  while (!ptx::mbarrier_try_wait(full, 0)) {
  }
  for (int i = t; i < bytes; i += 64) raw[i] = buffer[i];
  if (t == 0) {
    ptx::tma_store(out, to, reinterpret_cast<const T*>(buffer));
    ptx::bulk_commit();
    ptx::bulk_wait<0>();
  }
}

template <class T, int Rank>
void tma_tile_as(const Stream& stream, const TileCase& tile, const void* in, unsigned char* raw, void* out) {
  ptx::TensorLayout<Rank> layout{};
  ptx::TileAt<Rank> from{}, to{};
  int bytes = sizeof(T);
  for (std::size_t a = 0; a < Rank; ++a) {
    layout.extent[a] = tile.extent[a];
    layout.tile[a] = tile.tile[a];
    from.at[a] = tile.from[a];
    to.at[a] = tile.to[a];
    bytes *= tile.tile[a];
  }
  layout.swizzle = static_cast<ptx::Swizzle>(tile.swizzle);
  core::launch(move_tile<T, Rank>, 1, 64, 0, stream, ptx::make_tensor_map(static_cast<const T*>(in), layout),
               ptx::make_tensor_map(static_cast<const T*>(out), layout), from, to, bytes, raw);
}

void tma_tile(const Stream& stream, const TileCase& tile, const void* in, unsigned char* raw, void* out) {
  switch (tile.rank) {
    case 1: return tma_tile_as<double, 1>(stream, tile, in, raw, out);
    case 2: return tma_tile_as<float, 2>(stream, tile, in, raw, out);
    case 3: return tma_tile_as<std::uint16_t, 3>(stream, tile, in, raw, out);
    case 4: return tma_tile_as<unsigned char, 4>(stream, tile, in, raw, out);
    default: return tma_tile_as<int, 5>(stream, tile, in, raw, out);
  }
}

__global__ void copy_in_bulk(int bytes, const void* in, void* out) {
  __shared__ __align__(16) unsigned char buffer[8192];
  __shared__ ptx::Mbarrier full;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(full, 1);
    ptx::fence_mbarrier_init();
    ptx::fence_proxy_async_shared();
    ptx::mbarrier_expect_tx(full, bytes);
    ptx::bulk_load(buffer, in, bytes, full);
    ptx::mbarrier_arrive(full);
    ptx::mbarrier_wait(full, 0);
    ptx::bulk_store(out, buffer, bytes);
    ptx::bulk_commit();
    ptx::bulk_wait_read<0>();
    ptx::mbarrier_invalidate(full);
  }
}

void bulk_copy(const Stream& stream, int bytes, const void* in, void* out) {
  core::launch(copy_in_bulk, 1, 32, 0, stream, bytes, in, out);
}

// Warp 0 writes tiles into a ring of three; warps 1 and 2 add them up, each thread its own elements.
constexpr int ring = 3, ring_tile = 256;

__global__ void add_tiles(int n_tiles, const float* in, float* out) {
  __shared__ float buffer[ring][ring_tile];
  __shared__ ptx::Mbarrier full[ring], empty[ring];
  const int t = static_cast<int>(threadIdx.x);
  if (t == 0) {
    for (int i = 0; i < ring; ++i) {
      ptx::mbarrier_init(full[i], 32);
      ptx::mbarrier_init(empty[i], 2);
    }
  }
  __syncthreads();  // the mbarriers are initialised
  if (t < 32) {
    for (int i = 0; i < n_tiles; ++i) {
      if (i >= ring) ptx::mbarrier_wait(empty[i % ring], (i / ring - 1) % 2);
      for (int k = t; k < ring_tile; k += 32) buffer[i % ring][k] = in[i * ring_tile + k];
      ptx::mbarrier_arrive(full[i % ring]);
    }
    return;
  }
  float sum[4] = {};
  for (int i = 0; i < n_tiles; ++i) {
    ptx::mbarrier_wait(full[i % ring], i / ring % 2);
    for (int k = 0; k < 4; ++k) sum[k] += buffer[i % ring][k * 64 + t - 32];
    __syncwarp();
    if (ptx::elect_one()) ptx::mbarrier_arrive(empty[i % ring]);
  }
  for (int k = 0; k < 4; ++k) out[k * 64 + t - 32] = sum[k];
}

void mbarrier_ring(const Stream& stream, int n_tiles, const float* in, float* out) {
  core::launch(add_tiles, 1, 96, 0, stream, n_tiles, in, out);
}

// With extra arrivals, the phase also expects one ordinary arrival of every thread.
__global__ void add_mirrored(bool extra, const float* in, float* out) {
  __shared__ __align__(16) float tile[256];
  __shared__ ptx::Mbarrier full;
  const int t = static_cast<int>(threadIdx.x);
  if (t == 0) ptx::mbarrier_init(full, 64);
  __syncthreads();  // the mbarrier is initialised
  ptx::copy_async<16>(tile + 4 * t, in + 4 * t);
  if (extra) {
    ptx::copy_async_mbarrier_arrive(full);
    ptx::mbarrier_arrive(full);
  } else {
    ptx::copy_async_mbarrier_arrive_noinc(full);
  }
  ptx::mbarrier_wait(full, 0);
  for (int i = t; i < 256; i += 64) out[i] = tile[i] + tile[255 - i];
}

void copies_that_arrive(const Stream& stream, bool extra, const float* in, float* out) {
  core::launch(add_mirrored, 1, 64, 0, stream, extra, in, out);
}

}  // namespace

CopyWrappers copy_wrappers() { return {thread_copies, tma_tile, bulk_copy, mbarrier_ring, copies_that_arrive}; }

}  // namespace rafter::test::RAFTER_BACKEND
