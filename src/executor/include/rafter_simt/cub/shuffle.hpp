// cub::BlockShuffle and cub::BlockHistogram.
#pragma once

#include "rafter_simt/cub/span.hpp"
#include "rafter_simt/cub/types.hpp"
#include "rafter_simt/memory/atomics.hpp"

namespace rafter_simt {
namespace collective {

template <class T, int n>
struct PublishedStorage {
  Slots<T, n> values;
};

}  // namespace collective
}  // namespace rafter_simt

namespace cub {

template <class T, int BlockDimX, int BlockDimY = 1, int BlockDimZ = 1, int LegacyPtxArch = 0>
class BlockShuffle : public rafter_simt::collective::Collective<
                         rafter_simt::collective::PublishedStorage<T, BlockDimX * BlockDimY * BlockDimZ>> {
  using Span = rafter_simt::collective::BlockSpan<BlockDimX, BlockDimY, BlockDimZ>;
  using Base = rafter_simt::collective::Collective<
      rafter_simt::collective::PublishedStorage<T, BlockDimX * BlockDimY * BlockDimZ>>;

 public:
  BlockShuffle() = default;
  BlockShuffle(typename Base::TempStorage& storage) : Base(storage) {}

  /// Leaves outputs whose source is outside the block unchanged.
  void Offset(T in, T& out, int distance = 1) {
    publish(in);
    const int source = Span::rank() + distance;
    if (source >= 0 && source < Span::n_threads) out = this->storage_.values[source];
  }
  void Rotate(T in, T& out, unsigned int distance = 1) {
    publish(in);
    out = this->storage_.values[static_cast<int>((Span::rank() + distance) % Span::n_threads)];
  }
  template <int n>
  void Up(T (&in)[n], T (&out)[n]) {
    publish(in[n - 1]);
    for (int i = n - 1; i > 0; --i) out[i] = in[i - 1];
    if (Span::rank() > 0) out[0] = this->storage_.values[Span::rank() - 1];
  }
  template <int n>
  void Up(T (&in)[n], T (&out)[n], T& block_suffix) {
    Up(in, out);
    block_suffix = this->storage_.values[Span::n_threads - 1];
  }
  template <int n>
  void Down(T (&in)[n], T (&out)[n]) {
    publish(in[0]);
    for (int i = 0; i + 1 < n; ++i) out[i] = in[i + 1];
    if (Span::rank() + 1 < Span::n_threads) out[n - 1] = this->storage_.values[Span::rank() + 1];
  }
  template <int n>
  void Down(T (&in)[n], T (&out)[n], T& block_prefix) {
    Down(in, out);
    block_prefix = this->storage_.values[0];
  }

 private:
  __forceinline__ void publish(const T& value) {
    this->storage_.values[Span::rank()] = value;
    Span::sync();
  }
};

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

/// Both algorithms count with atomics if the counter type has them; otherwise thread 0 counts the published items.
template <class T, int BlockDimX, int ItemsPerThread, int Bins, BlockHistogramAlgorithm Algorithm = BLOCK_HISTO_SORT,
          int BlockDimY = 1, int BlockDimZ = 1, int LegacyPtxArch = 0>
class BlockHistogram
    : public rafter_simt::collective::Collective<
          rafter_simt::collective::PublishedStorage<T, BlockDimX * BlockDimY * BlockDimZ * ItemsPerThread>> {
  using Span = rafter_simt::collective::BlockSpan<BlockDimX, BlockDimY, BlockDimZ>;
  using Base = rafter_simt::collective::Collective<
      rafter_simt::collective::PublishedStorage<T, BlockDimX * BlockDimY * BlockDimZ * ItemsPerThread>>;

 public:
  BlockHistogram() = default;
  BlockHistogram(typename Base::TempStorage& storage) : Base(storage) {}

  template <class Counter>
  void InitHistogram(Counter histogram[Bins]) {
    for (int bin = Span::rank(); bin < Bins; bin += Span::n_threads) histogram[bin] = Counter(0);
  }
  template <class Counter>
  __forceinline__ void Composite(T (&items)[ItemsPerThread], Counter histogram[Bins]) {
    if constexpr (sizeof(Counter) >= 4) {
      for (const T& item : items) atomicAdd(&histogram[item], Counter(1));
    } else {
      auto& values = this->storage_.values;
      for (int i = 0; i < ItemsPerThread; ++i) values[Span::rank() * ItemsPerThread + i] = items[i];
      Span::sync();
      if (Span::rank() == 0)
        for (int i = 0; i < Span::n_threads * ItemsPerThread; ++i) ++histogram[values[i]];
    }
  }
  template <class Counter>
  void Histogram(T (&items)[ItemsPerThread], Counter histogram[Bins]) {
    InitHistogram(histogram);
    Span::sync();
    Composite(items, histogram);
  }
};

}  // namespace cub
