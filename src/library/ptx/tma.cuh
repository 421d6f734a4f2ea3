// TMA copies between global and shared memory: one thread starts the copy of a whole tile, and hardware makes it while
// all threads do something else. From compute capability 9.0 on.
//
// Loads complete on an mbarrier, by their bytes: one thread says how many are expected, starts the copies, and whoever
// needs them waits for the phase. Stores are collected in bulk groups, which the thread that started them waits for:
// until they have been read, before their shared memory is written again; until they are there, before others read.
// Both work in the async proxy: what threads wrote before, where a copy reads or writes, needs a proxy fence
// (memory_order.cuh).
#pragma once

#include "library/ptx/mbarrier.cuh"
#include "library/ptx/tensor_map.cuh"

namespace rafter::ptx {
inline namespace RAFTER_BACKEND {

/// The first element of a tile, x first: a multiple of 16 bytes in its row (an H200 takes others for an illegal
/// instruction). A tile may reach over the array's ends; the tile of a store may not begin before the array.
template <int Rank>
struct TileAt {
  int at[Rank];
};

/// Elements on each side of a tile, along x and y, that are copied and never used: others may be writing them
/// meanwhile. The executor leaves them out, and reading them is a finding.
struct UnusedHalo {
  int x = 0;
  int y = 0;
};

#ifndef RAFTER_SIMT
// One instruction for each rank; operands %0 to %3 are the same in all.
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

/// Starts to copy the tile at `from` to `shared`, which is aligned to 128 bytes. Its bytes, all of the tile's, are
/// expected at `barrier`. What is outside the array comes as zeros.
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

/// The same (target sm_90a) into every block of the cluster whose rank is a bit of `ranks`: to where this block has
/// `shared`, and its bytes are expected at the mbarrier that is there where this block has `barrier`.
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

/// Starts to copy `shared`, which is aligned to 128 bytes, to the tile at `to`; part of this thread's bulk group. What
/// would be outside the array is left out.
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

/// Starts to copy so many bytes in a row; addresses and count are multiples of 16. The bytes are expected at `barrier`.
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

/// The same into every block of the cluster whose rank is a bit of `ranks`; see tma_load_multicast().
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

/// A bulk store: from shared to global memory; part of this thread's bulk group.
__device__ __forceinline__ void bulk_store(void* global, const void* shared, int bytes) {
#ifdef RAFTER_SIMT
  rafter_simt_bulk_store(global, shared, bytes);
#else
  RAFTER_PTX_90("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(global),
                "r"(shared_address(shared)), "r"(bytes)
                : "memory");
#endif
}

/// Closes a bulk group: the stores that this thread started since the last one.
__device__ __forceinline__ void bulk_commit() {
#ifdef RAFTER_SIMT
  rafter_simt_commit_group(rafter_simt::GroupKind::bulk);
#else
  RAFTER_PTX_90("cp.async.bulk.commit_group;" ::: "memory");
#endif
}

/// Waits until all bulk groups of this thread but the last `Later` are complete: this thread sees what they wrote.
template <int Later>
__device__ __forceinline__ void bulk_wait() {
#ifdef RAFTER_SIMT
  rafter_simt_wait_group(rafter_simt::GroupKind::bulk, Later, 0);
#else
  RAFTER_PTX_90("cp.async.bulk.wait_group %0;" ::"n"(Later) : "memory");
#endif
}

/// Waits until they have read their shared memory, which may then be written again, or left.
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
