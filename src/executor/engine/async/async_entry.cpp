// The C functions that the PTX wrappers call for asynchronous copies and mbarriers.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "executor/engine/async/async.hpp"
#include "executor/engine/async/async_findings.hpp"
#include "executor/engine/failure.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/process/observer.hpp"
#include "executor/process/options.hpp"

using namespace rafter::simt;

#define RAFTER_SIMT_EXPORT extern "C" __attribute__((visibility("default")))
#define RAFTER_SIMT_HERE __builtin_return_address(0)

namespace {

Async async() {
  this_worker()->catch_up();
  return Async(this_worker()->block().async);
}

Async async_90(const char* what, const void* place) {
  Async all = async();
  if (options().capability >= 90) return all;
  report_too_old(what, place);
  this_worker()->abandon(launch_failure);
}

// Abandons the launch unless `holds`, as a GPU does for such a copy.
void require(bool holds, const char* what, const void* place) {
  if (holds) return;
  report_bad_copy(place, what);
  this_worker()->abandon(launch_failure);
}

bool is_multiple(const volatile void* address, std::uintptr_t of) {
  return reinterpret_cast<std::uintptr_t>(address) % of == 0;
}

/// Calls f(shared memory, mbarrier) for each destination block of a load.
template <class F>
void for_ranks(unsigned ranks, void* shared, void* barrier, const void* place, F&& f) {
  if (ranks == 0) return f(static_cast<std::byte*>(shared), barrier);
  Worker& worker = *this_worker();
  for (unsigned rank = 0; ranks >> rank; ++rank) {
    if (ranks >> rank & 1) f(worker.map_shared(shared, rank, place), worker.map_shared(barrier, rank, place));
  }
}

/// Whether a tile begins at a multiple of 16 bytes of its row. Otherwise an H200 stops with an illegal instruction.
bool begins_aligned(const rafter_simt::TensorMap& map, const int* at) {
  return std::int64_t{at[0]} * map.element_bytes % 16 == 0;
}

}  // namespace

RAFTER_SIMT_EXPORT void rafter_simt_copy_async(void* shared, const void* global, int bytes, int valid) {
  if (!is_inside()) return;
  Async all = async();
  const auto size = static_cast<std::uintptr_t>(bytes);
  require(is_multiple(shared, size) && is_multiple(global, size),
          "cp.async takes addresses that are multiples of the bytes it copies", RAFTER_SIMT_HERE);
  require(valid >= 0 && valid <= bytes, "cp.async reads at most the bytes it writes", RAFTER_SIMT_HERE);
  auto* to = static_cast<std::byte*>(shared);
  const auto n_read = static_cast<std::uint32_t>(valid);
  if (valid > 0) all.copy_async({to, static_cast<const std::byte*>(global), n_read}, RAFTER_SIMT_HERE);
  if (valid < bytes)
    all.copy_async({to + valid, nullptr, static_cast<std::uint32_t>(bytes) - n_read}, RAFTER_SIMT_HERE);
}

RAFTER_SIMT_EXPORT int rafter_simt_is_shared(const void* address) {
  return is_inside() && this_worker()->owner_of(address) != nullptr ? 1 : 0;
}

RAFTER_SIMT_EXPORT void* rafter_simt_shared_address(std::uint64_t address) {
  if (!is_inside()) return reinterpret_cast<void*>(address);
  return this_worker()->shared_at(address);
}

RAFTER_SIMT_EXPORT void rafter_simt_commit_group(rafter_simt::GroupKind kind) {
  if (is_inside()) async().commit(kind);
}

RAFTER_SIMT_EXPORT void rafter_simt_wait_group(rafter_simt::GroupKind kind, int later, int reads) {
  if (is_inside()) async().wait_group(kind, later, reads ? Async::Until::read : Async::Until::landed);
}

RAFTER_SIMT_EXPORT void rafter_simt_mbarrier_init(void* barrier, int n_arrivals) {
  if (is_inside()) async_90("mbarriers", RAFTER_SIMT_HERE).init(barrier, n_arrivals, RAFTER_SIMT_HERE);
}

RAFTER_SIMT_EXPORT void rafter_simt_mbarrier_invalidate(void* barrier) {
  if (is_inside()) async().invalidate(barrier, RAFTER_SIMT_HERE);
}

RAFTER_SIMT_EXPORT int rafter_simt_mbarrier_arrive(void* barrier, int n, int bytes) {
  return is_inside() ? async().arrive(barrier, n, bytes, RAFTER_SIMT_HERE) : 0;
}

RAFTER_SIMT_EXPORT int rafter_simt_mbarrier_drop(void* barrier) {
  return is_inside() ? async().drop(barrier, RAFTER_SIMT_HERE) : 0;
}

RAFTER_SIMT_EXPORT int rafter_simt_mbarrier_try_wait(void* barrier, int parity) {
  return is_inside() ? async().try_wait(barrier, parity, RAFTER_SIMT_HERE) : 1;
}

RAFTER_SIMT_EXPORT void rafter_simt_mbarrier_wait(void* barrier, int parity) {
  if (is_inside()) async().wait(barrier, parity, RAFTER_SIMT_HERE);
}

RAFTER_SIMT_EXPORT void rafter_simt_copy_async_arrive(void* barrier, int extra) {
  if (is_inside()) async_90("mbarriers", RAFTER_SIMT_HERE).copy_async_arrive(barrier, extra != 0, RAFTER_SIMT_HERE);
}

RAFTER_SIMT_EXPORT void rafter_simt_tma_load(void* shared, const rafter_simt::TensorMap* map, const int* at,
                                             void* barrier, rafter_simt::TileUse use) {
  if (!is_inside()) return;
  Async all = async_90("TMA copies", RAFTER_SIMT_HERE);
  require(is_multiple(shared, 128), "a TMA copy's shared memory begins at a multiple of 128 bytes", RAFTER_SIMT_HERE);
  require(begins_aligned(*map, at), "a TMA copy's tile begins at a multiple of 16 bytes of its row", RAFTER_SIMT_HERE);
  for_ranks(use.ranks, shared, barrier, RAFTER_SIMT_HERE, [&](std::byte* to, void* done) {
    all.load(done, describe_tma_load(*map, at, to, use.unused_x, use.unused_y), to, RAFTER_SIMT_HERE);
  });
}

RAFTER_SIMT_EXPORT void rafter_simt_tma_store(const rafter_simt::TensorMap* map, const int* at, const void* shared) {
  if (!is_inside()) return;
  Async all = async_90("TMA copies", RAFTER_SIMT_HERE);
  require(is_multiple(shared, 128), "a TMA copy's shared memory begins at a multiple of 128 bytes", RAFTER_SIMT_HERE);
  require(begins_aligned(*map, at), "a TMA copy's tile begins at a multiple of 16 bytes of its row", RAFTER_SIMT_HERE);
  require(std::all_of(at, at + map->rank, [](int coordinate) { return coordinate >= 0; }),
          "a TMA store's tile may extend past the end of the array but not begin before its start", RAFTER_SIMT_HERE);
  all.store(describe_tma_store(*map, at, static_cast<const std::byte*>(shared)), RAFTER_SIMT_HERE);
}

RAFTER_SIMT_EXPORT void rafter_simt_bulk_load(void* shared, const void* global, int bytes, void* barrier,
                                              unsigned ranks) {
  if (!is_inside()) return;
  Async all = async_90("bulk copies", RAFTER_SIMT_HERE);
  require(is_multiple(shared, 16) && is_multiple(global, 16) && bytes % 16 == 0 && bytes >= 0,
          "a bulk copy's addresses and size are multiples of 16 bytes", RAFTER_SIMT_HERE);
  for_ranks(ranks, shared, barrier, RAFTER_SIMT_HERE, [&](std::byte* to, void* done) {
    AsyncCopy copy;
    copy.bytes = bytes;
    copy.ranges.push_back({to, static_cast<const std::byte*>(global), static_cast<std::uint32_t>(bytes)});
    all.load(done, std::move(copy), to, RAFTER_SIMT_HERE);
  });
}

RAFTER_SIMT_EXPORT void rafter_simt_store_async(void* shared, const void* value, int bytes, void* barrier) {
  if (!is_inside()) return;
  Async all = async_90("asynchronous stores", RAFTER_SIMT_HERE);
  require(is_multiple(shared, static_cast<std::uintptr_t>(bytes)),
          "st.async takes an address that is a multiple of the bytes it stores", RAFTER_SIMT_HERE);
  const auto* from = static_cast<const std::byte*>(value);
  AsyncCopy copy;
  copy.bytes = bytes;
  copy.proxy = Agent::Proxy::generic;
  copy.value.assign(from, from + bytes);
  auto* to = static_cast<std::byte*>(shared);
  copy.ranges.push_back({to, copy.value.data(), static_cast<std::uint32_t>(bytes)});
  all.load(barrier, std::move(copy), to, RAFTER_SIMT_HERE);
}

RAFTER_SIMT_EXPORT void rafter_simt_bulk_store(void* global, const void* shared, int bytes) {
  if (!is_inside()) return;
  Async all = async_90("bulk copies", RAFTER_SIMT_HERE);
  require(is_multiple(shared, 16) && is_multiple(global, 16) && bytes % 16 == 0 && bytes >= 0,
          "a bulk copy's addresses and size are multiples of 16 bytes", RAFTER_SIMT_HERE);
  AsyncCopy copy;
  copy.ranges.push_back(
      {static_cast<std::byte*>(global), static_cast<const std::byte*>(shared), static_cast<std::uint32_t>(bytes)});
  all.store(copy, RAFTER_SIMT_HERE);
}

RAFTER_SIMT_EXPORT void rafter_simt_proxy_fence(rafter_simt::ProxyFence fence) {
  if (!is_inside()) return;
  this_worker()->catch_up();
  if (Observer* observer = observing()) observer->proxy_fence(fence);
}

/// Returns ten times the device's compute capability.
RAFTER_SIMT_EXPORT int rafter_simt_capability() { return options().capability; }
RAFTER_SIMT_EXPORT int rafter_simt_shared_bytes_per_sm() { return options().shared_bytes_per_sm(); }
