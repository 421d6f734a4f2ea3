// cp.async, bulk and TMA copies, and mbarriers: what the running thread does with its block's AsyncState.
#pragma once

#include <cstddef>

#include "executor/engine/async/async_state.hpp"

namespace rafter::simt {

/// The asynchronous operations of a block. The running thread calls them, at `place` in its code. An mbarrier may
/// belong to another block of the cluster.
class Async {
 public:
  explicit Async(AsyncState& state) : state_(state) {}

  void copy_async(CopyRange range, const void* place);
  void commit(rafter_simt::GroupKind kind);
  /// Makes the mbarrier track the thread's cp.async copies in flight; an arrival follows when they complete.
  void copy_async_arrive(void* at, bool is_extra, const void* place);
  enum class Until : bool { landed, read };
  void wait_group(rafter_simt::GroupKind kind, int n_later, Until until);

  void init(void* at, int count, const void* place);
  void invalidate(void* at, const void* place);
  /// Returns the parity of the phase that the arrivals belong to.
  int arrive(void* at, int n, int bytes, const void* place);
  int drop(void* at, const void* place);
  bool try_wait(void* at, int parity, const void* place);
  void wait(void* at, int parity, const void* place);

  /// Starts a copy to shared memory that completes on an mbarrier.
  void load(void* barrier, AsyncCopy copy, std::byte* shared, const void* place);
  /// Adds a copy from shared memory to the thread's bulk group.
  void store(const AsyncCopy& copy, const void* place);

 private:
  CopyGroups& groups(rafter_simt::GroupKind kind);
  static Mbarrier& find(void* at, const void* place);
  static void land(Mbarrier& barrier);
  static void begin_next_phase(Mbarrier& barrier, const void* place);
  static void complete_if_due(Mbarrier& barrier, const void* place);

  AsyncState& state_;
};

/// Returns the copy of the tile at `at` to `shared`. Elements outside of the array become zeros. The outermost
/// `unused_x` and `unused_y` elements on each side stay poisoned.
AsyncCopy describe_tma_load(const rafter_simt::TensorMap& map, const int* at, std::byte* shared, int unused_x,
                            int unused_y);
/// Returns the copy of `shared` to the part of the tile at `at` that lies in the array.
AsyncCopy describe_tma_store(const rafter_simt::TensorMap& map, const int* at, const std::byte* shared);

}  // namespace rafter::simt
