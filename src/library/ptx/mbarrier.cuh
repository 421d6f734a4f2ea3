// mbarriers: objects in shared memory that threads arrive at, and copies by the bytes they bring. From compute
// capability 9.0 on.
//
// A phase is complete when as many have arrived as mbarrier_init() said and all bytes have come that were expected;
// then the next one begins. Phases are told apart by their parity: 0 for the first, then 1, 0, ... Who waits sees what
// those who arrived did before (release and acquire), and the copies whose bytes completed the phase.
#pragma once

#include "library/ptx/target.cuh"

namespace rafter::ptx {
inline namespace RAFTER_BACKEND {

struct alignas(8) Mbarrier {
  unsigned long long state;
};

/// For phases of so many arrivals. One thread calls; then fence_mbarrier_init() (and fence_proxy_async_shared() where
/// copies complete on it) and a barrier of the block.
__device__ __forceinline__ void mbarrier_init(Mbarrier& barrier, int n_arrivals) {
#ifdef RAFTER_SIMT
  rafter_simt_mbarrier_init(&barrier, n_arrivals);
#else
  RAFTER_PTX_90("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&barrier)), "r"(n_arrivals) : "memory");
#endif
}

/// Ends an mbarrier's life; its memory may be used for something else after a barrier of the block.
__device__ __forceinline__ void mbarrier_invalidate(Mbarrier& barrier) {
#ifdef RAFTER_SIMT
  rafter_simt_mbarrier_invalidate(&barrier);
#else
  RAFTER_PTX_90("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(shared_address(&barrier)) : "memory");
#endif
}

/// What this thread initialised comes before uses of it by copies, and by other blocks of its cluster.
__device__ __forceinline__ void fence_mbarrier_init() {
#ifndef RAFTER_SIMT
  RAFTER_PTX_90("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}

/// As n that arrive: what this thread did is seen by those who wait.
__device__ __forceinline__ void mbarrier_arrive(Mbarrier& barrier, int n = 1) {
#ifdef RAFTER_SIMT
  rafter_simt_mbarrier_arrive(&barrier, n, 0);
#else
  RAFTER_PTX_90("mbarrier.arrive.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)), "r"(n) : "memory");
#endif
}

/// The phase under way is complete only when so many more bytes have come.
__device__ __forceinline__ void mbarrier_expect_tx(Mbarrier& barrier, int bytes) {
#ifdef RAFTER_SIMT
  rafter_simt_mbarrier_arrive(&barrier, 0, bytes);
#else
  RAFTER_PTX_90("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&barrier)), "r"(bytes)
                : "memory");
#endif
}

/// Both: expects bytes and arrives.
__device__ __forceinline__ void mbarrier_arrive_expect_tx(Mbarrier& barrier, int bytes) {
#ifdef RAFTER_SIMT
  rafter_simt_mbarrier_arrive(&barrier, 1, bytes);
#else
  RAFTER_PTX_90("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)), "r"(bytes)
                : "memory");
#endif
}

/// Whether the phase of that parity is complete; the hardware waits a little before it says no.
__device__ __forceinline__ bool mbarrier_try_wait(Mbarrier& barrier, int parity) {
#ifdef RAFTER_SIMT
  return rafter_simt_mbarrier_try_wait(&barrier, parity) != 0;
#else
  [[maybe_unused]] int is_complete = 0;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  asm volatile(
      "{\n"
      ".reg .pred there;\n"
      "mbarrier.try_wait.parity.shared::cta.b64 there, [%1], %2;\n"
      "selp.s32 %0, 1, 0, there;\n"
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
      ".reg .pred there;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 there, [%0], %1;\n"
      "@!there bra again;\n"
      "}\n" ::"r"(shared_address(&barrier)),
      "r"(parity)
      : "memory");
#endif
}

// ---- across a cluster: `own` names the mbarrier that the block of that rank has where this block has its own ----

/// As n that arrive there: what this thread did is seen by those of that block who wait with mbarrier_wait_cluster().
__device__ __forceinline__ void mbarrier_arrive_remote(Mbarrier& own, unsigned rank, int n = 1) {
#ifdef RAFTER_SIMT
  rafter_simt_mbarrier_arrive(rafter_simt_map_shared(&own, rank), n, 0);
#else
  RAFTER_PTX_90(
      "{\n"
      ".reg .b32 there;\n"
      "mapa.shared::cluster.u32 there, %0, %1;\n"
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there], %2;\n"
      "}\n" ::"r"(shared_address(&own)),
      "r"(rank), "r"(n)
      : "memory");
#endif
}

/// Expects bytes there, and arrives.
__device__ __forceinline__ void mbarrier_arrive_expect_tx_remote(Mbarrier& own, unsigned rank, int bytes) {
#ifdef RAFTER_SIMT
  rafter_simt_mbarrier_arrive(rafter_simt_map_shared(&own, rank), 1, bytes);
#else
  RAFTER_PTX_90(
      "{\n"
      ".reg .b32 there;\n"
      "mapa.shared::cluster.u32 there, %0, %1;\n"
      "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [there], %2;\n"
      "}\n" ::"r"(shared_address(&own)),
      "r"(rank), "r"(bytes)
      : "memory");
#endif
}

/// mbarrier_wait() that also acquires from threads of other blocks of the cluster.
__device__ __forceinline__ void mbarrier_wait_cluster(Mbarrier& barrier, int parity) {
#ifdef RAFTER_SIMT
  rafter_simt_mbarrier_wait(&barrier, parity);
#else
  RAFTER_PTX_90(
      "{\n"
      ".reg .pred there;\n"
      "again:\n"
      "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 there, [%0], %1;\n"
      "@!there bra again;\n"
      "}\n" ::"r"(shared_address(&barrier)),
      "r"(parity)
      : "memory");
#endif
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::ptx
