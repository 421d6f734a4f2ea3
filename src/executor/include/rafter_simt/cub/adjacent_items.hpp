// cub::BlockDiscontinuity and cub::BlockAdjacentDifference: threads read the items of adjacent threads.
#pragma once

#include "rafter_simt/cub/span.hpp"
#include "rafter_simt/cub/types.hpp"

namespace rafter_simt {
namespace collective {

template <class T, int n_threads>
struct AdjacentItemsStorage {
  Slots<T, n_threads> first;
  Slots<T, n_threads> last;
};

/// Publishes the first and last item of every thread and returns the items before and after the caller's.
template <class T, class Span>
class AdjacentItems : public Collective<AdjacentItemsStorage<T, Span::n_threads>> {
  using Base = Collective<AdjacentItemsStorage<T, Span::n_threads>>;

 protected:
  AdjacentItems() = default;
  explicit AdjacentItems(typename Base::TempStorage& storage) : Base(storage) {}

  __forceinline__ void publish(const T& first, const T& last) {
    this->storage_.first[Span::rank()] = first;
    this->storage_.last[Span::rank()] = last;
    Span::sync();
  }
  /// Returns `outside`, which may be null, at the block's boundary.
  T* before(T* outside) { return Span::rank() == 0 ? outside : &this->storage_.last[Span::rank() - 1]; }
  T* after(T* outside) {
    return Span::rank() == Span::n_threads - 1 ? outside : &this->storage_.first[Span::rank() + 1];
  }
};

/// Calls op(a, b, index of b), or op(a, b) if op takes no index.
template <class Op, class T>
auto call_indexed(Op& op, const T& a, const T& b, int index) {
  if constexpr (std::is_invocable<Op&, const T&, const T&, int>::value)
    return op(a, b, index);
  else
    return op(a, b);
}

}  // namespace collective
}  // namespace rafter_simt

namespace cub {

template <class T, int BlockDimX, int BlockDimY = 1, int BlockDimZ = 1, int LegacyPtxArch = 0>
class BlockDiscontinuity : public rafter_simt::collective::AdjacentItems<
                               T, rafter_simt::collective::BlockSpan<BlockDimX, BlockDimY, BlockDimZ>> {
  using Span = rafter_simt::collective::BlockSpan<BlockDimX, BlockDimY, BlockDimZ>;
  using Base = rafter_simt::collective::AdjacentItems<T, Span>;

 public:
  BlockDiscontinuity() = default;
  BlockDiscontinuity(typename Base::TempStorage& storage) : Base(storage) {}

  template <int n, class Flag, class Op>
  void FlagHeads(Flag (&heads)[n], T (&items)[n], Op op) {
    this->publish(items[0], items[n - 1]);
    flag_heads(heads, items, op, nullptr);
  }
  template <int n, class Flag, class Op>
  void FlagHeads(Flag (&heads)[n], T (&items)[n], Op op, T tile_predecessor) {
    this->publish(items[0], items[n - 1]);
    flag_heads(heads, items, op, &tile_predecessor);
  }
  template <int n, class Flag, class Op>
  void FlagTails(Flag (&tails)[n], T (&items)[n], Op op) {
    this->publish(items[0], items[n - 1]);
    flag_tails(tails, items, op, nullptr);
  }
  template <int n, class Flag, class Op>
  void FlagTails(Flag (&tails)[n], T (&items)[n], Op op, T tile_successor) {
    this->publish(items[0], items[n - 1]);
    flag_tails(tails, items, op, &tile_successor);
  }
  template <int n, class Flag, class Op>
  void FlagHeadsAndTails(Flag (&heads)[n], Flag (&tails)[n], T (&items)[n], Op op) {
    flag_both(heads, nullptr, tails, nullptr, items, op);
  }
  template <int n, class Flag, class Op>
  void FlagHeadsAndTails(Flag (&heads)[n], Flag (&tails)[n], T tile_successor, T (&items)[n], Op op) {
    flag_both(heads, nullptr, tails, &tile_successor, items, op);
  }
  template <int n, class Flag, class Op>
  void FlagHeadsAndTails(Flag (&heads)[n], T tile_predecessor, Flag (&tails)[n], T (&items)[n], Op op) {
    flag_both(heads, &tile_predecessor, tails, nullptr, items, op);
  }
  template <int n, class Flag, class Op>
  void FlagHeadsAndTails(Flag (&heads)[n], T tile_predecessor, Flag (&tails)[n], T tile_successor, T (&items)[n],
                         Op op) {
    flag_both(heads, &tile_predecessor, tails, &tile_successor, items, op);
  }

 private:
  template <int n, class Flag, class Op>
  void flag_both(Flag (&heads)[n], T* predecessor, Flag (&tails)[n], T* successor, T (&items)[n], Op op) {
    this->publish(items[0], items[n - 1]);
    flag_heads(heads, items, op, predecessor);
    flag_tails(tails, items, op, successor);
  }
  template <int n, class Flag, class Op>
  __forceinline__ void flag_heads(Flag (&heads)[n], T (&items)[n], Op op, T* predecessor) {
    T* left = this->before(predecessor);
    for (int i = 0; i < n; ++i) {
      const bool differs =
          left == nullptr || rafter_simt::collective::call_indexed(op, *left, items[i], Span::rank() * n + i);
      heads[i] = static_cast<Flag>(differs);
      left = &items[i];
    }
  }
  template <int n, class Flag, class Op>
  __forceinline__ void flag_tails(Flag (&tails)[n], T (&items)[n], Op op, T* successor) {
    for (int i = 0; i < n; ++i) {
      T* const right = i + 1 < n ? &items[i + 1] : this->after(successor);
      const bool differs =
          right == nullptr || rafter_simt::collective::call_indexed(op, items[i], *right, Span::rank() * n + i + 1);
      tails[i] = static_cast<Flag>(differs);
    }
  }
};

template <class T, int BlockDimX, int BlockDimY = 1, int BlockDimZ = 1>
class BlockAdjacentDifference : public rafter_simt::collective::AdjacentItems<
                                    T, rafter_simt::collective::BlockSpan<BlockDimX, BlockDimY, BlockDimZ>> {
  using Span = rafter_simt::collective::BlockSpan<BlockDimX, BlockDimY, BlockDimZ>;
  using Base = rafter_simt::collective::AdjacentItems<T, Span>;
  static constexpr int all = 0x7fffffff;

 public:
  BlockAdjacentDifference() = default;
  BlockAdjacentDifference(typename Base::TempStorage& storage) : Base(storage) {}

  template <int n, class Out, class Op>
  void SubtractLeft(T (&in)[n], Out (&out)[n], Op op) {
    left(in, out, op, all, nullptr);
  }
  template <int n, class Out, class Op>
  void SubtractLeft(T (&in)[n], Out (&out)[n], Op op, T tile_predecessor) {
    left(in, out, op, all, &tile_predecessor);
  }
  template <int n, class Out, class Op>
  void SubtractLeftPartialTile(T (&in)[n], Out (&out)[n], Op op, int valid_items) {
    left(in, out, op, valid_items, nullptr);
  }
  template <int n, class Out, class Op>
  void SubtractLeftPartialTile(T (&in)[n], Out (&out)[n], Op op, int valid_items, T tile_predecessor) {
    left(in, out, op, valid_items, &tile_predecessor);
  }
  template <int n, class Out, class Op>
  void SubtractRight(T (&in)[n], Out (&out)[n], Op op) {
    right(in, out, op, Span::n_threads * n, nullptr);
  }
  template <int n, class Out, class Op>
  void SubtractRight(T (&in)[n], Out (&out)[n], Op op, T tile_successor) {
    right(in, out, op, all, &tile_successor);
  }
  template <int n, class Out, class Op>
  void SubtractRightPartialTile(T (&in)[n], Out (&out)[n], Op op, int valid_items) {
    right(in, out, op, valid_items, nullptr);
  }

 private:
  // Input and output may be the same array, so each direction iterates away from the items it still needs. The operator
  // gets two T&, as in CUB: its parameters may be references to T.
  template <int n, class Out, class Op>
  __forceinline__ void left(T (&in)[n], Out (&out)[n], Op op, int n_valid, T* predecessor) {
    this->publish(in[0], in[n - 1]);
    T* const before = this->before(predecessor);
    for (int i = n - 1; i >= 0; --i) {
      T* const other = i > 0 ? &in[i - 1] : before;
      const bool subtracts = other != nullptr && Span::rank() * n + i < n_valid;
      out[i] = static_cast<Out>(subtracts ? static_cast<Out>(op(in[i], *other)) : static_cast<Out>(in[i]));
    }
  }
  template <int n, class Out, class Op>
  __forceinline__ void right(T (&in)[n], Out (&out)[n], Op op, int n_valid, T* successor) {
    this->publish(in[0], in[n - 1]);
    T* const after = this->after(successor);
    for (int i = 0; i < n; ++i) {
      T* const other = i + 1 < n ? &in[i + 1] : after;
      const bool subtracts = other != nullptr && (n_valid == all || Span::rank() * n + i + 1 < n_valid);
      out[i] = static_cast<Out>(subtracts ? static_cast<Out>(op(in[i], *other)) : static_cast<Out>(in[i]));
    }
  }
};

}  // namespace cub
