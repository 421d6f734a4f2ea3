// Thread block clusters: blocks that run concurrently on nearby multiprocessors, synchronise and access each other's
// shared memory. Compute capability 9.0 and later.
//
// A block must not exit while other blocks may access its shared memory, nor access that of a block that has not
// started: call cluster_sync() before the first access and after the last.
#pragma once

#include <cstring>

#include "library/ptx/mbarrier.cuh"

namespace rafter::ptx {
inline namespace RAFTER_BACKEND {

/// The rank of this block in its cluster, and the number of blocks in the cluster.
__device__ __forceinline__ unsigned cluster_rank() {
#ifdef RAFTER_SIMT
  return rafter_simt::cluster_value(rafter_simt::ClusterValue::rank);
#else
  unsigned rank = 0;
  RAFTER_PTX_90("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
#endif
}
__device__ __forceinline__ unsigned cluster_size() {
#ifdef RAFTER_SIMT
  return rafter_simt::cluster_value(rafter_simt::ClusterValue::size);
#else
  unsigned size = 0;
  RAFTER_PTX_90("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  return size;
#endif
}

/// Arrives at the cluster's barrier with release semantics. Every thread arrives and then waits, alternately.
__device__ __forceinline__ void cluster_arrive() {
#ifdef RAFTER_SIMT
  rafter_simt_cluster_arrive(rafter_simt::ClusterArrive::release);
#else
  RAFTER_PTX_90("barrier.cluster.arrive.release.aligned;" ::: "memory");
#endif
}
/// Arrives without ordering any accesses, unless a fence precedes it.
__device__ __forceinline__ void cluster_arrive_relaxed() {
#ifdef RAFTER_SIMT
  rafter_simt_cluster_arrive(rafter_simt::ClusterArrive::relaxed);
#else
  RAFTER_PTX_90("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
#endif
}
/// Waits until all threads of the cluster have arrived, with acquire semantics.
__device__ __forceinline__ void cluster_wait() {
#ifdef RAFTER_SIMT
  rafter_simt_cluster_wait();
#else
  RAFTER_PTX_90("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}
__device__ __forceinline__ void cluster_sync() {
  cluster_arrive();
  cluster_wait();
}

/// A variable in another block's shared memory (distributed shared memory): the counterpart of this block's `own` in
/// the block with rank `rank`.
template <class T>
class RemoteShared {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);

 public:
  __device__ __forceinline__ RemoteShared(T* own, unsigned rank)
#ifdef RAFTER_SIMT
      : address_(static_cast<T*>(rafter_simt_map_shared(own, rank))){}
#else
  {
    RAFTER_PTX_90("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address_) : "r"(shared_address(own)), "r"(rank));
  }
#endif

        __device__ __forceinline__ T load() const {
#ifdef RAFTER_SIMT
    return *address_;
#else
    T value;
    if constexpr (sizeof(T) == 4) {
      unsigned word = 0;
      RAFTER_PTX_90("ld.shared::cluster.u32 %0, [%1];" : "=r"(word) : "r"(address_) : "memory");
      memcpy(&value, &word, sizeof value);
    } else {
      unsigned long long word = 0;
      RAFTER_PTX_90("ld.shared::cluster.u64 %0, [%1];" : "=l"(word) : "r"(address_) : "memory");
      memcpy(&value, &word, sizeof value);
    }
    return value;
#endif
  }

  __device__ __forceinline__ void store(const T& value) const {
#ifdef RAFTER_SIMT
    *address_ = value;
#else
    if constexpr (sizeof(T) == 4) {
      unsigned word;
      memcpy(&word, &value, sizeof word);
      RAFTER_PTX_90("st.shared::cluster.u32 [%0], %1;" ::"r"(address_), "r"(word) : "memory");
    } else {
      unsigned long long word;
      memcpy(&word, &value, sizeof word);
      RAFTER_PTX_90("st.shared::cluster.u64 [%0], %1;" ::"r"(address_), "l"(word) : "memory");
    }
#endif
  }

  /// Adds to an integer, atomically among the threads of the cluster.
  __device__ __forceinline__ void add(T value) const {
    static_assert(sizeof(T) == 4);
#ifdef RAFTER_SIMT
    atomicAdd(address_, value);
#else
    RAFTER_PTX_90("red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" ::"r"(address_),
                  "r"(static_cast<unsigned>(value))
                  : "memory");
#endif
  }

 private:
#ifdef RAFTER_SIMT
  T* address_;
#else
  unsigned address_ = 0;
#endif
};

/// Starts to store a value of 4 or 8 bytes to the counterpart of `own` in the block of that rank (st.async). The bytes
/// complete on the counterpart of `barrier` in that block; threads that wait there see the value.
template <class T>
__device__ __forceinline__ void store_async(T* own, const T& value, Mbarrier& barrier, unsigned rank) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
#ifdef RAFTER_SIMT
  rafter_simt_store_async(rafter_simt_map_shared(own, rank), &value, static_cast<int>(sizeof(T)),
                          rafter_simt_map_shared(&barrier, rank));
#else
  unsigned to = 0;
  unsigned done = 0;
  RAFTER_PTX_90("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(shared_address(own)), "r"(rank));
  RAFTER_PTX_90("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(done) : "r"(shared_address(&barrier)), "r"(rank));
  if constexpr (sizeof(T) == 4) {
    unsigned word;
    memcpy(&word, &value, sizeof word);
    RAFTER_PTX_90("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(to), "r"(word),
                  "r"(done)
                  : "memory");
  } else {
    unsigned long long word;
    memcpy(&word, &value, sizeof word);
    RAFTER_PTX_90("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(to), "l"(word),
                  "r"(done)
                  : "memory");
  }
#endif
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::ptx
