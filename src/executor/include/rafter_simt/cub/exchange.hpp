// cub::BlockExchange and cub::WarpExchange: rearrange items through shared storage.
#pragma once

#include "rafter_simt/cub/span.hpp"
#include "rafter_simt/cub/types.hpp"

namespace rafter_simt {
namespace collective {

template <class T, class Span, int n_items>
struct ExchangeStorage {
  Slots<T, Span::n_threads * n_items> slots;
};

template <class T, class Span, int n>
class Exchange : public Collective<ExchangeStorage<T, Span, n>> {
  using Base = Collective<ExchangeStorage<T, Span, n>>;

 public:
  Exchange() = default;
  explicit Exchange(typename Base::TempStorage& storage) : Base(storage) {}

  template <class Out>
  void StripedToBlocked(const T (&in)[n], Out (&out)[n]) {
    move(in, out, Order::striped, Order::blocked);
  }
  template <class Out>
  void BlockedToStriped(const T (&in)[n], Out (&out)[n]) {
    move(in, out, Order::blocked, Order::striped);
  }
  template <class Out>
  void WarpStripedToBlocked(const T (&in)[n], Out (&out)[n]) {
    move(in, out, Order::warp_striped, Order::blocked);
  }
  template <class Out>
  void BlockedToWarpStriped(const T (&in)[n], Out (&out)[n]) {
    move(in, out, Order::blocked, Order::warp_striped);
  }
  template <class Out, class Rank>
  void ScatterToBlocked(const T (&in)[n], Out (&out)[n], const Rank (&ranks)[n]) {
    scatter(in, out, Order::blocked, [&](int i) { return static_cast<int>(ranks[i]); });
  }
  template <class Out, class Rank>
  void ScatterToStriped(const T (&in)[n], Out (&out)[n], const Rank (&ranks)[n]) {
    scatter(in, out, Order::striped, [&](int i) { return static_cast<int>(ranks[i]); });
  }
  /// Drops items of negative rank.
  template <class Out, class Rank>
  void ScatterToStripedGuarded(const T (&in)[n], Out (&out)[n], const Rank (&ranks)[n]) {
    scatter(in, out, Order::striped, [&](int i) { return static_cast<int>(ranks[i]); });
  }
  template <class Out, class Rank, class Flag>
  void ScatterToStripedFlagged(const T (&in)[n], Out (&out)[n], const Rank (&ranks)[n], const Flag (&valid)[n]) {
    scatter(in, out, Order::striped, [&](int i) { return valid[i] ? static_cast<int>(ranks[i]) : -1; });
  }

  void StripedToBlocked(T (&items)[n]) { StripedToBlocked(items, items); }
  void BlockedToStriped(T (&items)[n]) { BlockedToStriped(items, items); }
  void WarpStripedToBlocked(T (&items)[n]) { WarpStripedToBlocked(items, items); }
  void BlockedToWarpStriped(T (&items)[n]) { BlockedToWarpStriped(items, items); }
  template <class Rank>
  void ScatterToBlocked(T (&items)[n], const Rank (&ranks)[n]) {
    ScatterToBlocked(items, items, ranks);
  }
  template <class Rank>
  void ScatterToStriped(T (&items)[n], const Rank (&ranks)[n]) {
    ScatterToStriped(items, items, ranks);
  }
  template <class Rank>
  void ScatterToStripedGuarded(T (&items)[n], const Rank (&ranks)[n]) {
    ScatterToStripedGuarded(items, items, ranks);
  }
  template <class Rank, class Flag>
  void ScatterToStripedFlagged(T (&items)[n], const Rank (&ranks)[n], const Flag (&valid)[n]) {
    ScatterToStripedFlagged(items, items, ranks, valid);
  }

 private:
  template <class Out>
  __forceinline__ void move(const T (&in)[n], Out (&out)[n], Order from, Order to) {
    rearrange<Span, n>(this->storage_.slots, in, out, from, to);
  }
  template <class Out, class Target>
  __forceinline__ void scatter(const T (&in)[n], Out (&out)[n], Order to, Target target) {
    for (int i = 0; i < n; ++i)
      if (target(i) >= 0) this->storage_.slots[target(i)] = in[i];
    Span::sync();
    for (int i = 0; i < n; ++i) out[i] = this->storage_.slots[place<Span, n>(to, Span::rank(), i)];
  }
};

}  // namespace collective
}  // namespace rafter_simt

namespace cub {

template <class T, int BlockDimX, int ItemsPerThread, bool WarpTimeSlicing = false, int BlockDimY = 1,
          int BlockDimZ = 1, int LegacyPtxArch = 0>
class BlockExchange
    : public rafter_simt::collective::Exchange<T, rafter_simt::collective::BlockSpan<BlockDimX, BlockDimY, BlockDimZ>,
                                               ItemsPerThread> {
 public:
  using rafter_simt::collective::Exchange<T, rafter_simt::collective::BlockSpan<BlockDimX, BlockDimY, BlockDimZ>,
                                          ItemsPerThread>::Exchange;
};

enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };

template <class T, int ItemsPerThread, int LogicalWarpThreads = 32,
          WarpExchangeAlgorithm Algorithm = WARP_EXCHANGE_SMEM>
class WarpExchange : public rafter_simt::collective::Exchange<T, rafter_simt::collective::WarpSpan<LogicalWarpThreads>,
                                                              ItemsPerThread> {
 public:
  using rafter_simt::collective::Exchange<T, rafter_simt::collective::WarpSpan<LogicalWarpThreads>,
                                          ItemsPerThread>::Exchange;
};

}  // namespace cub
