// Order between threads of different blocks: acquire and release at the scope of the GPU, and fences between proxies.
//
//   producer:  writes data            red_release(&flag, 1)      what came before is seen by ...
//   consumer:  load_acquire(&flag)    reads data                 ... what comes after, once it sees the flag
//
// Ordinary accesses go through the generic proxy, those of TMA copies and wgmma through the async proxy. Where one
// comes after the other, at the same memory, a proxy fence must stand between them, besides the barrier.
#pragma once

#include "library/ptx/cache_hints.cuh"

namespace rafter::ptx {
inline namespace RAFTER_BACKEND {

/// Adds, when what this thread did before is to be seen by those who see the sum. A __syncwarp() before brings in what
/// the warp did.
__device__ __forceinline__ void red_release(int* at, int n) {
#ifdef RAFTER_SIMT
  __threadfence();  // what was done comes before the sum
  atomicAdd(at, n);
#else
  asm volatile("red.release.gpu.global.add.s32 [%0], %1;" ::"l"(at), "r"(n) : "memory");
#endif
}

/// Stores so that those who see the value see what this thread did before.
__device__ __forceinline__ void store_release(int* at, int value) {
#ifdef RAFTER_SIMT
  __threadfence();  // what was done comes before the value
  rafter_simt::atomic_store(at, value, rafter_simt::Scope::device);
#else
  asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
#endif
}

/// What is there; what others did before they released it is seen from here on.
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

/// What is there, and nothing besides.
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

/// Two words of 8 bytes that carry their own news: each is whole, and nothing else is ordered by them.
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

/// This thread's accesses to shared memory come before those of copies and wgmmas that are started after it, by this
/// thread or, after a barrier, by others. For a buffer that is filled again it stands between the last read and the
/// barrier, too: a read may still be on its way behind stores that memory has no room for.
__device__ __forceinline__ void fence_proxy_async_shared() {
#ifdef RAFTER_SIMT
  rafter_simt_proxy_fence(rafter_simt::ProxyFence::shared);
#else
  RAFTER_PTX_90("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

/// The same for global memory: also for what this thread has acquired from others.
__device__ __forceinline__ void fence_proxy_async_global() {
#ifdef RAFTER_SIMT
  rafter_simt_proxy_fence(rafter_simt::ProxyFence::global);
#else
  RAFTER_PTX_90("fence.proxy.async.global;" ::: "memory");
#endif
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::ptx
