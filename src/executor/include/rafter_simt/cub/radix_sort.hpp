// cub::BlockRadixSort, on numeric keys.
#pragma once

#include "rafter_simt/api/runtime_api.hpp"
#include "rafter_simt/cub/block_scan.hpp"
#include "rafter_simt/cub/sort.hpp"

namespace cub {

template <class Key, int BlockDimX, int ItemsPerThread, class Value = NullType, int RadixBits = 4,
          bool MemoizeOuterScan = true, BlockScanAlgorithm InnerScan = BLOCK_SCAN_WARP_SCANS,
          cudaSharedMemConfig SmemConfig = cudaSharedMemBankSizeFourByte, int BlockDimY = 1, int BlockDimZ = 1,
          int LegacyPtxArch = 0>
class BlockRadixSort
    : public rafter_simt::collective::Sorter<
          Key, Value, rafter_simt::collective::BlockSpan<BlockDimX, BlockDimY, BlockDimZ>, ItemsPerThread> {
  using Base =
      rafter_simt::collective::Sorter<Key, Value, rafter_simt::collective::BlockSpan<BlockDimX, BlockDimY, BlockDimZ>,
                                      ItemsPerThread>;
  using Order = rafter_simt::collective::Order;
  using Keys = Key (&)[ItemsPerThread];
  using Values = Value (&)[ItemsPerThread];
  static constexpr int all_bits = sizeof(Key) * 8;

 public:
  BlockRadixSort() = default;
  BlockRadixSort(typename Base::TempStorage& storage) : Base(storage) {}

  void Sort(Keys keys, int begin_bit = 0, int end_bit = all_bits) {
    radix(keys, nullptr, Order::blocked, {begin_bit, end_bit, false});
  }
  void Sort(Keys keys, Values values, int begin_bit = 0, int end_bit = all_bits) {
    radix(keys, values, Order::blocked, {begin_bit, end_bit, false});
  }
  void SortDescending(Keys keys, int begin_bit = 0, int end_bit = all_bits) {
    radix(keys, nullptr, Order::blocked, {begin_bit, end_bit, true});
  }
  void SortDescending(Keys keys, Values values, int begin_bit = 0, int end_bit = all_bits) {
    radix(keys, values, Order::blocked, {begin_bit, end_bit, true});
  }
  void SortBlockedToStriped(Keys keys, int begin_bit = 0, int end_bit = all_bits) {
    radix(keys, nullptr, Order::striped, {begin_bit, end_bit, false});
  }
  void SortBlockedToStriped(Keys keys, Values values, int begin_bit = 0, int end_bit = all_bits) {
    radix(keys, values, Order::striped, {begin_bit, end_bit, false});
  }
  void SortDescendingBlockedToStriped(Keys keys, int begin_bit = 0, int end_bit = all_bits) {
    radix(keys, nullptr, Order::striped, {begin_bit, end_bit, true});
  }
  void SortDescendingBlockedToStriped(Keys keys, Values values, int begin_bit = 0, int end_bit = all_bits) {
    radix(keys, values, Order::striped, {begin_bit, end_bit, true});
  }

 private:
  __forceinline__ void radix(Keys keys, Value* values, Order to, rafter_simt::collective::BitRange range) {
    auto& storage = this->storage_;
    this->sort(keys, values, to, Base::n_all, [&] {
      return rafter_simt::collective::order_by_bits(storage.keys.begin(), static_cast<int>(Base::n_all), range,
                                                    storage.order[0], storage.order[1], storage.counts);
    });
  }
};

}  // namespace cub
