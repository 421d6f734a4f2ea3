// The runtime interface for asynchronous operations: asynchronous copies, mbarriers, proxy fences. src/library/ptx
// calls these functions where it uses PTX on a GPU.
#pragma once

#include "rafter_simt/abi.hpp"

namespace rafter_simt {

/// An array and the tiles that TMA copies move; the innermost axis is first.
struct TensorMap {
  const void* data;
  int rank;
  int element_bytes;
  int swizzle;             // 0, 32, 64 or 128 bytes
  std::int64_t extent[5];  // elements
  std::int64_t stride[5];  // bytes
  int tile[5];             // elements
};

/// The extents that a TMA load skips along x and y, and the destination blocks as a bit mask of ranks; 0: the own
/// block.
struct TileUse {
  int unused_x, unused_y;
  unsigned ranks;
};

enum class GroupKind : int { copy_async, bulk };
enum class ProxyFence : int { shared, global };

}  // namespace rafter_simt

extern "C" {
/// Performs cp.async: reads `valid` bytes and fills the rest with zeros.
void rafter_simt_copy_async(void* shared, const void* global, int bytes, int valid);
/// Whether an address is in the running block's shared memory.
int rafter_simt_is_shared(const void* address);
/// Returns the shared memory address for a full address or its low 32 bits, as from
/// `(unsigned)__cvta_generic_to_shared(p)`.
void* rafter_simt_shared_address(std::uint64_t address);
void rafter_simt_commit_group(rafter_simt::GroupKind kind);
/// Waits until all groups of the thread but the last `later` have completed, or (`reads` 1) have read their sources.
void rafter_simt_wait_group(rafter_simt::GroupKind kind, int later, int reads);

void rafter_simt_mbarrier_init(void* barrier, int n_arrivals);
void rafter_simt_mbarrier_invalidate(void* barrier);
/// Expects `bytes` more, then arrives `n` times. Returns the parity of the phase.
int rafter_simt_mbarrier_arrive(void* barrier, int n, int bytes);
/// Arrives once; all later phases expect one arrival less.
int rafter_simt_mbarrier_drop(void* barrier);
int rafter_simt_mbarrier_try_wait(void* barrier, int parity);
void rafter_simt_mbarrier_wait(void* barrier, int parity);

/// Performs cp.async.mbarrier.arrive for the thread's pending copies. `extra` 1: the phase expects one arrival more.
void rafter_simt_copy_async_arrive(void* barrier, int extra);

void rafter_simt_tma_load(void* shared, const rafter_simt::TensorMap* map, const int* at, void* barrier,
                          rafter_simt::TileUse use);
void rafter_simt_tma_store(const rafter_simt::TensorMap* map, const int* at, const void* shared);
void rafter_simt_bulk_load(void* shared, const void* global, int bytes, void* barrier, unsigned ranks);
/// Performs st.async to the memory and mbarrier of another block.
void rafter_simt_store_async(void* shared, const void* value, int bytes, void* barrier);
void rafter_simt_bulk_store(void* global, const void* shared, int bytes);
void rafter_simt_proxy_fence(rafter_simt::ProxyFence fence);
}
