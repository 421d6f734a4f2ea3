// The common part of block sorts, cub::BlockMergeSort and cub::WarpMergeSort: threads publish their items, thread 0
// computes the order, and every thread fetches its own items.
#pragma once

#include "rafter_simt/cub/sort_order.hpp"
#include "rafter_simt/cub/span.hpp"
#include "rafter_simt/cub/types.hpp"

namespace rafter_simt {
namespace collective {

template <class Key, class Value, int n>
struct SortStorage {
  using Index = std::conditional_t<(n < 65536), std::uint16_t, std::uint32_t>;

  Slots<Key, n> keys;
  Slots<Value, n> values;
  Index order[2][n];
  int counts[256];
  int result;  // which of the two orders is the result
};

template <class Key, class Value, class Span, int n>
class Sorter : public Collective<SortStorage<Key, Value, Span::n_threads * n>> {
  using Base = Collective<SortStorage<Key, Value, Span::n_threads * n>>;

 protected:
  static constexpr int n_all = Span::n_threads * n;

  Sorter() = default;
  explicit Sorter(typename Base::TempStorage& storage) : Base(storage) {}

  /// Sorts the items. `find_order` fills and returns one of storage_.order for the first n_sorted items; the others
  /// keep their places.
  template <class FindOrder>
  __forceinline__ void sort(Key (&keys)[n], Value* values, Order to, int n_sorted, FindOrder find_order) {
    auto& storage = this->storage_;
    const int rank = Span::rank();
    for (int i = 0; i < n; ++i) {
      storage.keys[rank * n + i] = keys[i];
      if (values != nullptr) storage.values[rank * n + i] = values[i];
    }
    Span::sync();
    if (rank == 0) storage.result = find_order() == storage.order[0] ? 0 : 1;
    Span::sync();
    for (int i = 0; i < n; ++i) {
      const int at = place<Span, n>(to, rank, i);
      const int from = at < n_sorted ? storage.order[storage.result][at] : at;
      keys[i] = storage.keys[from];
      if (values != nullptr) values[i] = storage.values[from];
    }
  }
};

template <class Key, class Value, class Span, int n>
class MergeSorter : public Sorter<Key, Value, Span, n> {
  using Base = Sorter<Key, Value, Span, n>;

 public:
  MergeSorter() = default;
  explicit MergeSorter(typename Base::TempStorage& storage) : Base(storage) {}
  unsigned int get_linear_tid() const { return static_cast<unsigned>(Span::rank()); }

  template <class Less>
  void Sort(Key (&keys)[n], Less less) {
    merge(keys, nullptr, less, Base::n_all);
  }
  template <class Less>
  void Sort(Key (&keys)[n], Less less, int valid_items, Key oob_default) {
    fill(keys, valid_items, oob_default);
    merge(keys, nullptr, less, valid_items);
  }
  template <class Less>
  void Sort(Key (&keys)[n], Value (&values)[n], Less less) {
    merge(keys, values, less, Base::n_all);
  }
  template <class Less>
  void Sort(Key (&keys)[n], Value (&values)[n], Less less, int valid_items, Key oob_default) {
    fill(keys, valid_items, oob_default);
    merge(keys, values, less, valid_items);
  }
  template <class... Args>
  void StableSort(Key (&keys)[n], Args&&... args) {
    Sort(keys, static_cast<Args&&>(args)...);
  }

 private:
  void fill(Key (&keys)[n], int valid_items, const Key& oob_default) {
    for (int i = 0; i < n; ++i)
      if (Span::rank() * n + i >= valid_items) keys[i] = oob_default;
  }
  template <class Less>
  __forceinline__ void merge(Key (&keys)[n], Value* values, Less less, int n_sorted) {
    auto& storage = this->storage_;
    this->sort(keys, values, Order::blocked, n_sorted, [&] {
      const auto before = [&](int a, int b) { return static_cast<bool>(less(storage.keys[a], storage.keys[b])); };
      return order_by_merging(before, n_sorted, storage.order[0], storage.order[1]);
    });
  }
};

}  // namespace collective
}  // namespace rafter_simt

namespace cub {

template <class Key, int BlockDimX, int ItemsPerThread, class Value = NullType, int BlockDimY = 1, int BlockDimZ = 1>
class BlockMergeSort
    : public rafter_simt::collective::MergeSorter<
          Key, Value, rafter_simt::collective::BlockSpan<BlockDimX, BlockDimY, BlockDimZ>, ItemsPerThread> {
 public:
  using rafter_simt::collective::MergeSorter<
      Key, Value, rafter_simt::collective::BlockSpan<BlockDimX, BlockDimY, BlockDimZ>, ItemsPerThread>::MergeSorter;
};
template <class Key, int ItemsPerThread, int LogicalWarpThreads = 32, class Value = NullType, int LegacyPtxArch = 0>
class WarpMergeSort
    : public rafter_simt::collective::MergeSorter<Key, Value, rafter_simt::collective::WarpSpan<LogicalWarpThreads>,
                                                  ItemsPerThread> {
 public:
  using rafter_simt::collective::MergeSorter<Key, Value, rafter_simt::collective::WarpSpan<LogicalWarpThreads>,
                                             ItemsPerThread>::MergeSorter;
};

}  // namespace cub
