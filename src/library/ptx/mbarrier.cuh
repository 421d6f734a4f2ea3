// mbarriers: barrier objects in shared memory, for threads and for asynchronous copies. Compute capability 9.0 and
// later.
//
// A phase completes when the number of arrivals given to mbarrier_init() and all expected bytes have arrived; then the
// next phase begins. Phases are identified by their parity: 0 for the first, then 1, 0, ... A thread that waits for a
// phase sees all accesses that precede its arrivals (release and acquire) and the data of the copies that completed it.
#pragma once

#include "library/ptx/target.cuh"

namespace rafter::ptx {
inline namespace RAFTER_BACKEND {

struct alignas(8) Mbarrier {
  unsigned long long state;
};

/// Initialises a barrier for phases of `n_arrivals` arrivals. One thread calls it, then fence_mbarrier_init() (and
/// fence_proxy_async_shared() if copies complete on the barrier) and a barrier of the block.
__device__ __forceinline__ void mbarrier_init(Mbarrier& barrier, int n_arrivals) {
#ifdef RAFTER_SIMT
  rafter_simt_mbarrier_init(&barrier, n_arrivals);
#else
  RAFTER_PTX_90("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&barrier)), "r"(n_arrivals) : "memory");
#endif
}

/// Ends an mbarrier's lifetime. Its memory may be reused after a barrier of the block.
__device__ __forceinline__ void mbarrier_invalidate(Mbarrier& barrier) {
#ifdef RAFTER_SIMT
  rafter_simt_mbarrier_invalidate(&barrier);
#else
  RAFTER_PTX_90("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(shared_address(&barrier)) : "memory");
#endif
}

/// Orders this thread's initialisation of mbarriers before their use by copies and by other blocks of the cluster.
__device__ __forceinline__ void fence_mbarrier_init() {
#ifndef RAFTER_SIMT
  RAFTER_PTX_90("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}

/// Arrives n times, with release semantics.
__device__ __forceinline__ void mbarrier_arrive(Mbarrier& barrier, int n = 1) {
#ifdef RAFTER_SIMT
  rafter_simt_mbarrier_arrive(&barrier, n, 0);
#else
  RAFTER_PTX_90("mbarrier.arrive.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)), "r"(n) : "memory");
#endif
}

/// Increases the number of bytes that the current phase expects.
__device__ __forceinline__ void mbarrier_expect_tx(Mbarrier& barrier, int bytes) {
#ifdef RAFTER_SIMT
  rafter_simt_mbarrier_arrive(&barrier, 0, bytes);
#else
  RAFTER_PTX_90("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&barrier)), "r"(bytes)
                : "memory");
#endif
}

/// Increases the expected bytes and arrives.
__device__ __forceinline__ void mbarrier_arrive_expect_tx(Mbarrier& barrier, int bytes) {
#ifdef RAFTER_SIMT
  rafter_simt_mbarrier_arrive(&barrier, 1, bytes);
#else
  RAFTER_PTX_90("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)), "r"(bytes)
                : "memory");
#endif
}

/// Returns whether the phase of that parity is complete. The hardware may wait for a limited time before it returns
/// false.
__device__ __forceinline__ bool mbarrier_try_wait(Mbarrier& barrier, int parity) {
#ifdef RAFTER_SIMT
  return rafter_simt_mbarrier_try_wait(&barrier, parity) != 0;
#else
  [[maybe_unused]] int is_complete = 0;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  asm volatile(
      "{\n"
      ".reg .pred complete;\n"
      "mbarrier.try_wait.parity.shared::cta.b64 complete, [%1], %2;\n"
      "selp.s32 %0, 1, 0, complete;\n"
      "}\n"
      : "=r"(is_complete)
      : "r"(shared_address(&barrier)), "r"(parity)
      : "memory");
#else
  __trap();
#endif
  return is_complete != 0;
#endif
}

/// Waits until the phase of that parity is complete.
__device__ __forceinline__ void mbarrier_wait(Mbarrier& barrier, int parity) {
#ifdef RAFTER_SIMT
  rafter_simt_mbarrier_wait(&barrier, parity);
#else
  RAFTER_PTX_90(
      "{\n"
      ".reg .pred complete;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 complete, [%0], %1;\n"
      "@!complete bra again;\n"
      "}\n" ::"r"(shared_address(&barrier)),
      "r"(parity)
      : "memory");
#endif
}

// Across a cluster: `own` is this block's mbarrier; the functions use its counterpart in the block of that rank.

/// Arrives n times at the remote mbarrier, with release semantics for threads that wait there with
/// mbarrier_wait_cluster().
__device__ __forceinline__ void mbarrier_arrive_remote(Mbarrier& own, unsigned rank, int n = 1) {
#ifdef RAFTER_SIMT
  rafter_simt_mbarrier_arrive(rafter_simt_map_shared(&own, rank), n, 0);
#else
  RAFTER_PTX_90(
      "{\n"
      ".reg .b32 remote;\n"
      "mapa.shared::cluster.u32 remote, %0, %1;\n"
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote], %2;\n"
      "}\n" ::"r"(shared_address(&own)),
      "r"(rank), "r"(n)
      : "memory");
#endif
}

/// Increases the expected bytes of the remote mbarrier and arrives there.
__device__ __forceinline__ void mbarrier_arrive_expect_tx_remote(Mbarrier& own, unsigned rank, int bytes) {
#ifdef RAFTER_SIMT
  rafter_simt_mbarrier_arrive(rafter_simt_map_shared(&own, rank), 1, bytes);
#else
  RAFTER_PTX_90(
      "{\n"
      ".reg .b32 remote;\n"
      "mapa.shared::cluster.u32 remote, %0, %1;\n"
      "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [remote], %2;\n"
      "}\n" ::"r"(shared_address(&own)),
      "r"(rank), "r"(bytes)
      : "memory");
#endif
}

/// Waits like mbarrier_wait(), and acquires from threads of all blocks of the cluster.
__device__ __forceinline__ void mbarrier_wait_cluster(Mbarrier& barrier, int parity) {
#ifdef RAFTER_SIMT
  rafter_simt_mbarrier_wait(&barrier, parity);
#else
  RAFTER_PTX_90(
      "{\n"
      ".reg .pred complete;\n"
      "again:\n"
      "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 complete, [%0], %1;\n"
      "@!complete bra again;\n"
      "}\n" ::"r"(shared_address(&barrier)),
      "r"(parity)
      : "memory");
#endif
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::ptx
