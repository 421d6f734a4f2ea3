// Memory order between threads of different blocks: acquire and release at the scope of the GPU, and proxy fences.
//
//   producer:  writes data            red_release(&flag, 1)      earlier accesses happen before ...
//   consumer:  load_acquire(&flag)    reads data                 ... later ones, if the load reads the new flag
//
// Ordinary accesses use the generic proxy; TMA copies and wgmma use the async proxy. Between accesses of different
// proxies to the same memory, a proxy fence is required in addition to the barrier.
#pragma once

#include "library/ptx/cache_hints.cuh"

namespace rafter::ptx {
inline namespace RAFTER_BACKEND {

/// Adds `n` with release semantics. A preceding __syncwarp() extends the release to the warp's accesses.
__device__ __forceinline__ void red_release(int* at, int n) {
#ifdef RAFTER_SIMT
  __threadfence();  // orders earlier accesses before the addition
  atomicAdd(at, n);
#else
  asm volatile("red.release.gpu.global.add.s32 [%0], %1;" ::"l"(at), "r"(n) : "memory");
#endif
}

/// Stores `value` with release semantics.
__device__ __forceinline__ void store_release(int* at, int value) {
#ifdef RAFTER_SIMT
  __threadfence();  // orders earlier accesses before the store
  rafter_simt::atomic_store(at, value, rafter_simt::Scope::device);
#else
  asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
#endif
}

/// Loads with acquire semantics.
__device__ __forceinline__ int load_acquire(const int* at) {
#ifdef RAFTER_SIMT
  const int value = rafter_simt::atomic_load(at, rafter_simt::Scope::device);
  rafter_simt_acquired(at, rafter_simt::Scope::device);
  return value;
#else
  int value;
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
  return value;
#endif
}

/// Loads atomically, without ordering other accesses.
__device__ __forceinline__ unsigned load_relaxed(const unsigned* at) {
#ifdef RAFTER_SIMT
  return rafter_simt::atomic_load(at, rafter_simt::Scope::device);
#else
  unsigned value;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
  return value;
#endif
}

__device__ __forceinline__ unsigned long long load_relaxed(const unsigned long long* at) {
#ifdef RAFTER_SIMT
  return rafter_simt::atomic_load(at, rafter_simt::Scope::device);
#else
  unsigned long long value;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(at) : "memory");
  return value;
#endif
}

/// Stores two words of 8 bytes. Each word is atomic; other accesses are not ordered.
__device__ __forceinline__ void store_relaxed(ulonglong2* at, ulonglong2 value) {
#ifdef RAFTER_SIMT
  rafter_simt::atomic_store(&at->x, value.x, rafter_simt::Scope::device);
  rafter_simt::atomic_store(&at->y, value.y, rafter_simt::Scope::device);
#else
  asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(at), "l"(value.x), "l"(value.y) : "memory");
#endif
}

__device__ __forceinline__ ulonglong2 load_relaxed(const ulonglong2* at) {
  ulonglong2 value;
#ifdef RAFTER_SIMT
  value.x = rafter_simt::atomic_load(&at->x, rafter_simt::Scope::device);
  value.y = rafter_simt::atomic_load(&at->y, rafter_simt::Scope::device);
#else
  asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];" : "=l"(value.x), "=l"(value.y) : "l"(at) : "memory");
#endif
  return value;
}

/// Orders this thread's accesses to shared memory before later async-proxy accesses (copies and wgmma), by this thread
/// or, after a barrier, by others. A buffer that is refilled also needs it between the last read and the barrier: the
/// read may still be queued behind earlier stores.
__device__ __forceinline__ void fence_proxy_async_shared() {
#ifdef RAFTER_SIMT
  rafter_simt_proxy_fence(rafter_simt::ProxyFence::shared);
#else
  RAFTER_PTX_90("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

/// Orders accesses to global memory in the same way, including those that this thread has acquired from others.
__device__ __forceinline__ void fence_proxy_async_global() {
#ifdef RAFTER_SIMT
  rafter_simt_proxy_fence(rafter_simt::ProxyFence::global);
#else
  RAFTER_PTX_90("fence.proxy.async.global;" ::: "memory");
#endif
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::ptx
