// TMA copies between global and shared memory: one thread starts the copy of a whole tile, and the hardware performs it
// while the threads continue. Compute capability 9.0 and later.
//
// Loads complete on an mbarrier, by their bytes: one thread sets the expected bytes and starts the copies, and the
// threads that need the data wait for the phase. Stores form bulk groups, which the thread that started them waits for:
// until they have read their source, before that shared memory is written again; until they are complete, before others
// read the destination. Both use the async proxy: earlier accesses of threads to the same memory need a proxy fence
// (memory_order.cuh).
#pragma once

#include "library/ptx/mbarrier.cuh"
#include "library/ptx/tensor_map.cuh"

namespace rafter::ptx {
inline namespace RAFTER_BACKEND {

/// The first element of a tile, x first. Its offset in the row is a multiple of 16 bytes (other offsets are an illegal
/// instruction on an H200). A tile may extend past the end of the array; the tile of a store may not begin before it.
template <int Rank>
struct TileAt {
  int at[Rank];
};

/// Elements on each side of a tile, along x and y, that are copied but never used, because other threads may write them
/// concurrently. The executor does not copy them, and reports reads of them.
struct UnusedHalo {
  int x = 0;
  int y = 0;
};

#ifndef RAFTER_SIMT
// One instruction for each rank. Operands %0 to %3 are the same in all.
#define RAFTER_TMA_LOAD_RANK(PTX, RANK, MULTICAST, MASK, COORDINATES, ...)                           \
  PTX("cp.async.bulk.tensor." RANK "d.shared::cluster.global.mbarrier::complete_tx::bytes" MULTICAST \
      " [%0], [%1, {" COORDINATES "}], [%2]" MASK ";" ::"r"(to),                                     \
      "l"(&map.map), "r"(done), "h"(mask), __VA_ARGS__                                               \
      : "memory")
#define RAFTER_TMA_LOAD(PTX, MULTICAST, MASK)                                                                         \
  if constexpr (Rank == 1) {                                                                                          \
    RAFTER_TMA_LOAD_RANK(PTX, "1", MULTICAST, MASK, "%4", "r"(c[0]));                                                 \
  } else if constexpr (Rank == 2) {                                                                                   \
    RAFTER_TMA_LOAD_RANK(PTX, "2", MULTICAST, MASK, "%4, %5", "r"(c[0]), "r"(c[1]));                                  \
  } else if constexpr (Rank == 3) {                                                                                   \
    RAFTER_TMA_LOAD_RANK(PTX, "3", MULTICAST, MASK, "%4, %5, %6", "r"(c[0]), "r"(c[1]), "r"(c[2]));                   \
  } else if constexpr (Rank == 4) {                                                                                   \
    RAFTER_TMA_LOAD_RANK(PTX, "4", MULTICAST, MASK, "%4, %5, %6, %7", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));    \
  } else {                                                                                                            \
    RAFTER_TMA_LOAD_RANK(PTX, "5", MULTICAST, MASK, "%4, %5, %6, %7, %8", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), \
                         "r"(c[4]));                                                                                  \
  }
#endif

/// Starts to copy the tile at `from` to `shared`, which is aligned to 128 bytes. The barrier expects the bytes of the
/// whole tile. Elements outside of the array become zeros.
template <class T, int Rank>
__device__ __forceinline__ void tma_load(T* shared, const TensorMap<T, Rank>& map, const TileAt<Rank>& from,
                                         Mbarrier& barrier, [[maybe_unused]] const UnusedHalo& unused = {}) {
#ifdef RAFTER_SIMT
  rafter_simt_tma_load(shared, &map.map, from.at, &barrier, {unused.x, unused.y, 0});
#else
  const unsigned to = shared_address(shared);
  const unsigned done = shared_address(&barrier);
  const int* c = from.at;
  constexpr unsigned short mask = 0;
  RAFTER_TMA_LOAD(RAFTER_PTX_90, "", "")
#endif
}

/// Starts to copy a tile to every block of the cluster whose rank is a bit of `ranks` (target sm_90a): to the
/// counterpart of `shared` in that block. Its bytes complete on the counterpart of `barrier` there.
template <class T, int Rank>
__device__ __forceinline__ void tma_load_multicast(T* shared, const TensorMap<T, Rank>& map, const TileAt<Rank>& from,
                                                   Mbarrier& barrier, unsigned ranks) {
#ifdef RAFTER_SIMT
  rafter_simt_tma_load(shared, &map.map, from.at, &barrier, {0, 0, ranks});
#else
  [[maybe_unused]] const unsigned to = shared_address(shared);
  [[maybe_unused]] const unsigned done = shared_address(&barrier);
  [[maybe_unused]] const int* c = from.at;
  [[maybe_unused]] const auto mask = static_cast<unsigned short>(ranks);
  RAFTER_TMA_LOAD(RAFTER_PTX_90A, ".multicast::cluster", ", %3")
#endif
}

#ifndef RAFTER_SIMT
#undef RAFTER_TMA_LOAD
#undef RAFTER_TMA_LOAD_RANK
#endif

/// Starts to copy `shared`, which is aligned to 128 bytes, to the tile at `to`, as part of this thread's bulk group.
/// Elements outside of the array are not written.
template <class T, int Rank>
__device__ __forceinline__ void tma_store(const TensorMap<T, Rank>& map, const TileAt<Rank>& to, const T* shared) {
#ifdef RAFTER_SIMT
  rafter_simt_tma_store(&map.map, to.at, shared);
#else
  const unsigned from = shared_address(shared);
  const int* c = to.at;
  if constexpr (Rank == 1) {
    RAFTER_PTX_90("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%1}], [%2];" ::"l"(&map.map), "r"(c[0]),
                  "r"(from)
                  : "memory");
  } else if constexpr (Rank == 2) {
    RAFTER_PTX_90("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map.map),
                  "r"(c[0]), "r"(c[1]), "r"(from)
                  : "memory");
  } else if constexpr (Rank == 3) {
    RAFTER_PTX_90("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %2, %3}], [%4];" ::"l"(&map.map),
                  "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(from)
                  : "memory");
  } else if constexpr (Rank == 4) {
    RAFTER_PTX_90("cp.async.bulk.tensor.4d.global.shared::cta.bulk_group [%0, {%1, %2, %3, %4}], [%5];" ::"l"(&map.map),
                  "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(from)
                  : "memory");
  } else {
    RAFTER_PTX_90(
        "cp.async.bulk.tensor.5d.global.shared::cta.bulk_group [%0, {%1, %2, %3, %4, %5}], [%6];" ::"l"(&map.map),
        "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]), "r"(from)
        : "memory");
  }
#endif
}

/// Starts to copy `bytes` contiguous bytes; addresses and size are multiples of 16. The bytes complete on `barrier`.
__device__ __forceinline__ void bulk_load(void* shared, const void* global, int bytes, Mbarrier& barrier) {
#ifdef RAFTER_SIMT
  rafter_simt_bulk_load(shared, global, bytes, &barrier, 0);
#else
  RAFTER_PTX_90("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                    shared_address(shared)),
                "l"(global), "r"(bytes), "r"(shared_address(&barrier))
                : "memory");
#endif
}

/// Starts the copy to every block of the cluster whose rank is a bit of `ranks`; see tma_load_multicast().
__device__ __forceinline__ void bulk_load_multicast(void* shared, const void* global, int bytes, Mbarrier& barrier,
                                                    unsigned ranks) {
#ifdef RAFTER_SIMT
  rafter_simt_bulk_load(shared, global, bytes, &barrier, ranks);
#else
  RAFTER_PTX_90A(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], "
      "%4;" ::"r"(shared_address(shared)),
      "l"(global), "r"(bytes), "r"(shared_address(&barrier)), "h"(static_cast<unsigned short>(ranks))
      : "memory");
#endif
}

/// Starts to copy contiguous bytes from shared to global memory, as part of this thread's bulk group.
__device__ __forceinline__ void bulk_store(void* global, const void* shared, int bytes) {
#ifdef RAFTER_SIMT
  rafter_simt_bulk_store(global, shared, bytes);
#else
  RAFTER_PTX_90("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(global),
                "r"(shared_address(shared)), "r"(bytes)
                : "memory");
#endif
}

/// Commits a bulk group: the stores that this thread started since the previous group.
__device__ __forceinline__ void bulk_commit() {
#ifdef RAFTER_SIMT
  rafter_simt_commit_group(rafter_simt::GroupKind::bulk);
#else
  RAFTER_PTX_90("cp.async.bulk.commit_group;" ::: "memory");
#endif
}

/// Waits until all bulk groups of this thread except the last `Later` are complete. This thread then sees their writes.
template <int Later>
__device__ __forceinline__ void bulk_wait() {
#ifdef RAFTER_SIMT
  rafter_simt_wait_group(rafter_simt::GroupKind::bulk, Later, 0);
#else
  RAFTER_PTX_90("cp.async.bulk.wait_group %0;" ::"n"(Later) : "memory");
#endif
}

/// Waits until those groups have read their shared memory, which may then be overwritten.
template <int Later>
__device__ __forceinline__ void bulk_wait_read() {
#ifdef RAFTER_SIMT
  rafter_simt_wait_group(rafter_simt::GroupKind::bulk, Later, 1);
#else
  RAFTER_PTX_90("cp.async.bulk.wait_group.read %0;" ::"n"(Later) : "memory");
#endif
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::ptx
