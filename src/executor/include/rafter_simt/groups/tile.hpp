// cooperative_groups: tiles of a power of two of consecutive threads.
#pragma once

#include "rafter_simt/groups/warp_tiles.hpp"

namespace cooperative_groups {

template <unsigned int Size, class Parent = void>
class thread_block_tile;

namespace details {

/// A tile within a warp.
template <unsigned int Size>
class LaneTile : public thread_group {
  using WarpOp = rafter_simt::WarpOp;

 public:
  void sync() const { __syncwarp(mask()); }
  static constexpr unsigned int size() { return Size; }
  static constexpr unsigned int num_threads() { return Size; }
  static unsigned int thread_rank() { return rafter_simt::current_lane() % Size; }
  unsigned int meta_group_rank() const { return meta_rank_; }
  unsigned int meta_group_size() const { return meta_size_; }

  template <class T>
  T shfl(T value, int rank) const {
    return rafter_simt::shuffle_any(WarpOp::shuffle_index, mask(), value, rank, Size);
  }
  template <class T>
  T shfl_up(T value, unsigned int delta) const {
    return rafter_simt::shuffle_any(WarpOp::shuffle_up, mask(), value, static_cast<int>(delta), Size);
  }
  template <class T>
  T shfl_down(T value, unsigned int delta) const {
    return rafter_simt::shuffle_any(WarpOp::shuffle_down, mask(), value, static_cast<int>(delta), Size);
  }
  template <class T>
  T shfl_xor(T value, unsigned int rank_mask) const {
    return rafter_simt::shuffle_any(WarpOp::shuffle_xor, mask(), value, static_cast<int>(rank_mask), Size);
  }

  int any(int predicate) const { return __any_sync(mask(), predicate); }
  int all(int predicate) const { return __all_sync(mask(), predicate); }
  unsigned int ballot(int predicate) const { return to_ranks(__ballot_sync(mask(), predicate)); }
  template <class T>
  unsigned int match_any(T value) const {
    return to_ranks(__match_any_sync(mask(), value));
  }
  template <class T>
  unsigned int match_all(T value, int& all_equal) const {
    return to_ranks(__match_all_sync(mask(), value, &all_equal));
  }

  /// Returns the lanes of this tile in its warp.
  unsigned int lanes() const { return mask(); }

 protected:
  LaneTile(unsigned meta_rank, unsigned meta_size)
      : thread_group(Kind::lanes, rafter_simt::tile_mask(Size, rafter_simt::current_lane())),
        meta_rank_(meta_rank),
        meta_size_(meta_size) {}

 private:
  static unsigned to_ranks(unsigned lanes) {
    const unsigned base = rafter_simt::current_lane() / Size * Size;
    return (lanes & rafter_simt::tile_mask(Size, base)) >> base;
  }

  unsigned meta_rank_;
  unsigned meta_size_;
};

template <unsigned int Size>
using TileBase = std::conditional_t<(Size > 32), WarpTile<Size>, LaneTile<Size>>;

}  // namespace details

/// The base class of tiles of any parent.
template <unsigned int Size>
class thread_block_tile<Size, void> : public details::TileBase<Size> {
  static_assert(Size > 0 && Size <= 1024 && (Size & (Size - 1)) == 0, "a tile's size must be a power of two");

 protected:
  thread_block_tile(unsigned meta_rank, unsigned meta_size) : details::TileBase<Size>(meta_rank, meta_size) {}
};

template <unsigned int Size, class Parent>
class thread_block_tile : public thread_block_tile<Size, void> {
 public:
  thread_block_tile(unsigned meta_rank, unsigned meta_size) : thread_block_tile<Size, void>(meta_rank, meta_size) {}
};

template <unsigned int Size>
thread_block_tile<Size, thread_block> tiled_partition(const thread_block& block) {
  return {block.thread_rank() / Size, (block.size() + Size - 1) / Size};
}

template <unsigned int Size, unsigned int ParentSize, class GrandParent>
auto tiled_partition(const thread_block_tile<ParentSize, GrandParent>& parent) {
  static_assert(Size <= ParentSize, "a tile must not be larger than its parent");
  return thread_block_tile<Size, thread_block_tile<ParentSize, GrandParent>>(parent.thread_rank() / Size,
                                                                             ParentSize / Size);
}

inline thread_block_tile<1, thread_block> this_thread() { return tiled_partition<1>(this_thread_block()); }

}  // namespace cooperative_groups
