// The seam for what goes on while its thread does something else: asynchronous copies, mbarriers, proxy fences. What
// src/library/ptx has as PTX for a GPU comes here.
#pragma once

#include "rafter_simt/abi.hpp"

namespace rafter_simt {

/// An array and the tiles that TMA copies move; axes from the innermost.
struct TensorMap {
  const void* data;
  int rank;
  int element_bytes;
  int swizzle;             // 0, 32, 64 or 128 bytes
  std::int64_t extent[5];  // elements
  std::int64_t stride[5];  // bytes
  int tile[5];             // elements
};

/// What a TMA load leaves out along x and y, and the ranks of the blocks it goes to, as bits; 0: the own block.
struct TileUse {
  int unused_x, unused_y;
  unsigned ranks;
};

enum class GroupKind : int { copy_async, bulk };
enum class ProxyFence : int { shared, global };

}  // namespace rafter_simt

extern "C" {
/// cp.async: `valid` of the bytes are read, zeros stand for the rest.
void rafter_simt_copy_async(void* shared, const void* global, int bytes, int valid);
/// Whether it is the running block's shared memory.
int rafter_simt_is_shared(const void* address);
/// The shared memory whose address this is, or the last 32 bits of it, as `(unsigned)__cvta_generic_to_shared(p)`.
void* rafter_simt_shared_address(std::uint64_t address);
void rafter_simt_commit_group(rafter_simt::GroupKind kind);
/// Until all groups of the thread but the last `later` have landed, or (`reads` 1) have read their sources.
void rafter_simt_wait_group(rafter_simt::GroupKind kind, int later, int reads);

void rafter_simt_mbarrier_init(void* barrier, int n_arrivals);
void rafter_simt_mbarrier_invalidate(void* barrier);
/// Expects `bytes` more, then arrives `n` times. Gives the parity of the phase that this belongs to.
int rafter_simt_mbarrier_arrive(void* barrier, int n, int bytes);
/// Arrives once, and all later phases count one arrival less.
int rafter_simt_mbarrier_drop(void* barrier);
int rafter_simt_mbarrier_try_wait(void* barrier, int parity);
void rafter_simt_mbarrier_wait(void* barrier, int parity);

/// cp.async.mbarrier.arrive: of the thread's copies that are on their way. `extra` 1: the phase counts one arrival
/// more.
void rafter_simt_copy_async_arrive(void* barrier, int extra);

void rafter_simt_tma_load(void* shared, const rafter_simt::TensorMap* map, const int* at, void* barrier,
                          rafter_simt::TileUse use);
void rafter_simt_tma_store(const rafter_simt::TensorMap* map, const int* at, const void* shared);
void rafter_simt_bulk_load(void* shared, const void* global, int bytes, void* barrier, unsigned ranks);
/// st.async: to memory and mbarrier of another block.
void rafter_simt_store_async(void* shared, const void* value, int bytes, void* barrier);
void rafter_simt_bulk_store(void* global, const void* shared, int bytes);
void rafter_simt_proxy_fence(rafter_simt::ProxyFence fence);
}
