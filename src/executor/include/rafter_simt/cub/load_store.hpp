// CUB's block and warp loads and stores of tiles. The transposing ones access memory in stripes and rearrange through
// shared storage, as CUB's do.
#pragma once

#include "rafter_simt/cub/exchange.hpp"
#include "rafter_simt/cub/thread.hpp"

namespace rafter_simt {
namespace collective {

template <class Span, int n, class T, class Iterator>
__forceinline__ void read_tile(Order order, int rank, Iterator from, T (&items)[n], int n_valid) {
  for (int i = 0; i < n; ++i) {
    const int at = place<Span, n>(order, rank, i);
    if (at < n_valid) items[i] = from[at];
  }
}
template <class Span, int n, class T, class Iterator>
__forceinline__ void write_tile(Order order, int rank, Iterator to, const T (&items)[n], int n_valid) {
  for (int i = 0; i < n; ++i) {
    const int at = place<Span, n>(order, rank, i);
    if (at < n_valid) to[at] = items[i];
  }
}

template <class T, class Span, int n, bool transposes>
using TileStorage = std::conditional_t<transposes, ExchangeStorage<T, Span, n>, NoStorage>;

template <class T, class Span, int n, Order order, bool transposes>
class TileLoad : public Collective<TileStorage<T, Span, n, transposes>> {
  using Base = Collective<TileStorage<T, Span, n, transposes>>;

 public:
  TileLoad() = default;
  explicit TileLoad(typename Base::TempStorage& storage) : Base(storage) {}

  template <class Iterator>
  __forceinline__ void Load(Iterator from, T (&items)[n], int n_valid = Span::n_threads * n) {
    read_tile<Span>(order, Span::rank(), from, items, n_valid);
    if constexpr (transposes) rearrange<Span, n>(this->storage_.slots, items, items, order, Order::blocked);
  }
  template <class Iterator, class Default>
  __forceinline__ void Load(Iterator from, T (&items)[n], int n_valid, Default otherwise) {
    for (T& item : items) item = static_cast<T>(otherwise);
    Load(from, items, n_valid);
  }
};

template <class T, class Span, int n, Order order, bool transposes>
class TileStore : public Collective<TileStorage<T, Span, n, transposes>> {
  using Base = Collective<TileStorage<T, Span, n, transposes>>;

 public:
  TileStore() = default;
  explicit TileStore(typename Base::TempStorage& storage) : Base(storage) {}

  template <class Iterator>
  __forceinline__ void Store(Iterator to, T (&items)[n], int n_valid = Span::n_threads * n) {
    if constexpr (transposes) rearrange<Span, n>(this->storage_.slots, items, items, Order::blocked, order);
    write_tile<Span>(order, Span::rank(), to, items, n_valid);
  }
};

}  // namespace collective
}  // namespace rafter_simt

namespace cub {

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED,
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED,
};
enum WarpLoadAlgorithm { WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE };
enum WarpStoreAlgorithm { WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE };

namespace detail {

// The load and store enumerators have the same values.
constexpr rafter_simt::collective::Order order_of(int algorithm) {
  using rafter_simt::collective::Order;
  if (algorithm == BLOCK_LOAD_DIRECT || algorithm == BLOCK_LOAD_VECTORIZE) return Order::blocked;
  return algorithm == BLOCK_LOAD_STRIPED || algorithm == BLOCK_LOAD_TRANSPOSE ? Order::striped : Order::warp_striped;
}
constexpr bool transposes(int algorithm) { return algorithm >= BLOCK_LOAD_TRANSPOSE; }

template <class T, class Span, int n, int algorithm>
using Load = rafter_simt::collective::TileLoad<T, Span, n, order_of(algorithm), transposes(algorithm)>;
template <class T, class Span, int n, int algorithm>
using Store = rafter_simt::collective::TileStore<T, Span, n, order_of(algorithm), transposes(algorithm)>;
template <int X, int Y, int Z>
using BlockSpan = rafter_simt::collective::BlockSpan<X, Y, Z>;
template <int width>
using WarpSpan = rafter_simt::collective::WarpSpan<width>;

}  // namespace detail

template <class T, int BlockDimX, int ItemsPerThread, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT,
          int BlockDimY = 1, int BlockDimZ = 1, int LegacyPtxArch = 0>
class BlockLoad
    : public detail::Load<T, detail::BlockSpan<BlockDimX, BlockDimY, BlockDimZ>, ItemsPerThread, Algorithm> {
 public:
  using detail::Load<T, detail::BlockSpan<BlockDimX, BlockDimY, BlockDimZ>, ItemsPerThread, Algorithm>::TileLoad;
};
template <class T, int BlockDimX, int ItemsPerThread, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT,
          int BlockDimY = 1, int BlockDimZ = 1, int LegacyPtxArch = 0>
class BlockStore
    : public detail::Store<T, detail::BlockSpan<BlockDimX, BlockDimY, BlockDimZ>, ItemsPerThread, Algorithm> {
 public:
  using detail::Store<T, detail::BlockSpan<BlockDimX, BlockDimY, BlockDimZ>, ItemsPerThread, Algorithm>::TileStore;
};
template <class T, int ItemsPerThread, WarpLoadAlgorithm Algorithm = WARP_LOAD_DIRECT, int LogicalWarpThreads = 32>
class WarpLoad : public detail::Load<T, detail::WarpSpan<LogicalWarpThreads>, ItemsPerThread, Algorithm> {
 public:
  using detail::Load<T, detail::WarpSpan<LogicalWarpThreads>, ItemsPerThread, Algorithm>::TileLoad;
};
template <class T, int ItemsPerThread, WarpStoreAlgorithm Algorithm = WARP_STORE_DIRECT, int LogicalWarpThreads = 32>
class WarpStore : public detail::Store<T, detail::WarpSpan<LogicalWarpThreads>, ItemsPerThread, Algorithm> {
 public:
  using detail::Store<T, detail::WarpSpan<LogicalWarpThreads>, ItemsPerThread, Algorithm>::TileStore;
};

// The direct functions, for a thread index given by the caller.
#define RAFTER_SIMT_CUB_DIRECT(name, order, Span, ...)                                                           \
  template <__VA_ARGS__ class T, int n, class Iterator>                                                          \
  __forceinline__ void Load##name(int rank, Iterator from, T(&items)[n], int n_valid = 0x7fffffff) {             \
    rafter_simt::collective::read_tile<Span>(rafter_simt::collective::Order::order, rank, from, items, n_valid); \
  }                                                                                                              \
  template <__VA_ARGS__ class T, class Default, int n, class Iterator>                                           \
  __forceinline__ void Load##name(int rank, Iterator from, T(&items)[n], int n_valid, Default otherwise) {       \
    for (T & item : items) item = static_cast<T>(otherwise);                                                     \
    rafter_simt::collective::read_tile<Span>(rafter_simt::collective::Order::order, rank, from, items, n_valid); \
  }                                                                                                              \
  template <__VA_ARGS__ class T, int n, class Iterator>                                                          \
  __forceinline__ void Store##name(int rank, Iterator to, T(&items)[n], int n_valid = 0x7fffffff) {              \
    rafter_simt::collective::write_tile<Span>(rafter_simt::collective::Order::order, rank, to, items, n_valid);  \
  }
#define RAFTER_SIMT_CUB_THREADS int n_threads,
RAFTER_SIMT_CUB_DIRECT(DirectBlocked, blocked, rafter_simt::collective::BlockSpan<1>, )
RAFTER_SIMT_CUB_DIRECT(DirectBlockedVectorized, blocked, rafter_simt::collective::BlockSpan<1>, )
RAFTER_SIMT_CUB_DIRECT(DirectWarpStriped, warp_striped, rafter_simt::collective::BlockSpan<32>, )
RAFTER_SIMT_CUB_DIRECT(DirectStriped, striped, rafter_simt::collective::BlockSpan<n_threads>, RAFTER_SIMT_CUB_THREADS)
#undef RAFTER_SIMT_CUB_THREADS
#undef RAFTER_SIMT_CUB_DIRECT

}  // namespace cub
