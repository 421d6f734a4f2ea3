// cooperative_groups: tiles of more than 32 threads. Values pass through shared memory between barriers of the tile.
// They do not convert to thread_group.
#pragma once

#include <type_traits>

#include "rafter_simt/groups/thread_group.hpp"

// Waits for the threads of the caller's tile of `size` consecutive threads, more than a warp. Returns the reduced
// predicate.
#pragma GCC visibility push(default)
extern "C" int rafter_simt_tile_barrier(unsigned size, rafter_simt::BarrierKind kind, int predicate);
#pragma GCC visibility pop

namespace cooperative_groups {
namespace details {

/// Shared memory for one value of each warp of the block.
template <class T>
T* warp_values() {
  static thread_local std::aligned_storage_t<sizeof(T), alignof(T)> values[32];
  return reinterpret_cast<T*>(values);
}

template <unsigned int Size>
class WarpTile {
  using BarrierKind = rafter_simt::BarrierKind;

 public:
  void sync() const { barrier(BarrierKind::plain, 0); }
  static constexpr unsigned int size() { return Size; }
  static constexpr unsigned int num_threads() { return Size; }
  static unsigned int thread_rank() { return rafter_simt::current_thread() % Size; }
  unsigned int meta_group_rank() const { return meta_rank_; }
  unsigned int meta_group_size() const { return meta_size_; }

  template <class T>
  T shfl(T value, int rank) const {
    T* const slot = &warp_values<T>()[first_warp()];
    if (thread_rank() == static_cast<unsigned>(rank) % Size) *slot = value;
    sync();
    const T result = *slot;
    sync();
    return result;
  }

  int any(int predicate) const { return barrier(BarrierKind::any, predicate); }
  int all(int predicate) const { return barrier(BarrierKind::all, predicate); }

  /// Calls f with the values of the tile's first `n_warps` warps, in order.
  template <class T, class F>
  void for_warps(const T& of_this_warp, unsigned n_warps, F f) const {
    T* const values = warp_values<T>() + first_warp();
    if (rafter_simt::current_lane() == 0) values[warp()] = of_this_warp;
    sync();
    for (unsigned i = 0; i < n_warps; ++i) f(values[i]);
    sync();
  }
  /// Returns the rank of the caller's warp in the tile.
  static unsigned warp() { return thread_rank() / 32; }
  /// Returns the number of warps, fewer than usual in the last tile of a block.
  static unsigned n_warps() {
    const unsigned begin = rafter_simt::current_thread() / Size * Size,
                   n_left = rafter_simt::threads_of_block() - begin;
    return ((n_left < Size ? n_left : Size) + 31) / 32;
  }

 protected:
  WarpTile(unsigned meta_rank, unsigned meta_size) : meta_rank_(meta_rank), meta_size_(meta_size) {}

 private:
  static int barrier(BarrierKind kind, int predicate) { return rafter_simt_tile_barrier(Size, kind, predicate); }
  static unsigned first_warp() { return rafter_simt::current_thread() / Size * (Size / 32); }

  unsigned meta_rank_;
  unsigned meta_size_;
};

template <unsigned int Size>
std::true_type is_warp_tile(const WarpTile<Size>&);
std::false_type is_warp_tile(...);

}  // namespace details
}  // namespace cooperative_groups
