// cub::BlockScan: threads publish partial results, thread 0 scans them in place, and every thread adds its own items.
// CUB's many overloads make the file long.
#pragma once

#include "rafter_simt/cub/span.hpp"
#include "rafter_simt/cub/types.hpp"

namespace rafter_simt {
namespace collective {

template <class T, int n_threads>
struct ScanStorage {
  Slots<T, n_threads> values;
  Slots<T, 1> aggregate;
  Slots<T, 1> prefix;
};

enum class ScanKind { inclusive, exclusive };

/// The value before the block's first item: none, a constant, or the result of a callback on the block's aggregate.
struct NoSeed {};
template <class T>
struct ValueSeed {
  T value;
};
template <class Callback>
struct CallbackSeed {
  Callback& callback;
};

template <class T, class Span>
class Scanner {
 public:
  explicit Scanner(ScanStorage<T, Span::n_threads>& storage) : storage_(storage) {}

  template <int n, class Op, class Seed>
  __forceinline__ T run(ScanKind kind, const T (&in)[n], T (&out)[n], Op op, Seed seed) {
    T before{};
    const bool seeded = prefix_of_thread(combine_items(in, op), op, seed, before);
    for (int i = 0; i < n; ++i) {
      const T item = in[i];
      const T with = seeded || i > 0 ? static_cast<T>(op(before, item)) : item;
      out[i] = kind == ScanKind::inclusive ? with : before;
      before = with;
    }
    return storage_.aggregate[0];
  }

 private:
  template <class Op, class Seed>
  __forceinline__ bool prefix_of_thread(const T& mine, Op& op, Seed& seed, T& before) {
    const int rank = Span::rank();
    storage_.values[rank] = mine;
    Span::sync();
    if (rank == 0) scan_values(op);
    if (rank < 32) call_back(seed, rank);
    Span::sync();
    if (rank > 0) before = storage_.values[rank];
    return add_seed(seed, op, rank, before);
  }

  /// Replaces values[i] by the sum of the values before it.
  template <class Op>
  __forceinline__ void scan_values(Op& op) {
    T sum = storage_.values[0];
    for (int i = 1; i < Span::n_threads; ++i) {
      const T value = storage_.values[i];
      storage_.values[i] = sum;
      sum = op(sum, value);
    }
    storage_.aggregate[0] = sum;
  }

  // The whole first warp calls the callback, so that the callback may use warp operations; lane 0's result counts.
  template <class Callback>
  void call_back(CallbackSeed<Callback>& seed, int rank) {
    __syncwarp(Span::n_threads < 32 ? (1u << Span::n_threads % 32) - 1u : full_warp);
    const T prefix = seed.callback(T(storage_.aggregate[0]));
    if (rank == 0) storage_.prefix[0] = prefix;
  }
  template <class Seed>
  void call_back(Seed&, int) {}

  template <class Op>
  bool add_seed(NoSeed&, Op&, int rank, T&) {
    return rank > 0;
  }
  template <class Op>
  bool add_seed(ValueSeed<T>& seed, Op& op, int rank, T& before) {
    before = rank > 0 ? static_cast<T>(op(seed.value, before)) : seed.value;
    return true;
  }
  template <class Callback, class Op>
  bool add_seed(CallbackSeed<Callback>&, Op& op, int rank, T& before) {
    const T prefix = storage_.prefix[0];
    before = rank > 0 ? static_cast<T>(op(prefix, before)) : prefix;
    return true;
  }

  ScanStorage<T, Span::n_threads>& storage_;
};

}  // namespace collective
}  // namespace rafter_simt

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int BlockDimX, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING, int BlockDimY = 1,
          int BlockDimZ = 1, int LegacyPtxArch = 0>
class BlockScan : public rafter_simt::collective::Collective<
                      rafter_simt::collective::ScanStorage<T, BlockDimX * BlockDimY * BlockDimZ>> {
  using Span = rafter_simt::collective::BlockSpan<BlockDimX, BlockDimY, BlockDimZ>;
  using Base =
      rafter_simt::collective::Collective<rafter_simt::collective::ScanStorage<T, BlockDimX * BlockDimY * BlockDimZ>>;
  using Kind = rafter_simt::collective::ScanKind;
  using NoSeed = rafter_simt::collective::NoSeed;
  using ValueSeed = rafter_simt::collective::ValueSeed<T>;
  template <class Callback>
  using CallbackSeed = rafter_simt::collective::CallbackSeed<Callback>;

 public:
  BlockScan() = default;
  BlockScan(typename Base::TempStorage& storage) : Base(storage) {}

  // The exclusive sum starts from zero, so it has a seed where the inclusive one has none.
  // clang-format off
#define RAFTER_SIMT_CUB_SUMS(name, kind, SumSeed)                                                                     \
  void name##Sum(T in, T& out) { single(Kind::kind, in, out, Sum(), SumSeed{}); }                                     \
  void name##Sum(T in, T& out, T& aggregate) { aggregate = single(Kind::kind, in, out, Sum(), SumSeed{}); }           \
  template <class Callback>                                                                                           \
  void name##Sum(T in, T& out, Callback& callback) {                                                                  \
    single(Kind::kind, in, out, Sum(), CallbackSeed<Callback>{callback});                                             \
  }                                                                                                                   \
  template <int n>                                                                                                    \
  void name##Sum(T (&in)[n], T (&out)[n]) { run(Kind::kind, in, out, Sum(), SumSeed{}); }                             \
  template <int n>                                                                                                    \
  void name##Sum(T (&in)[n], T (&out)[n], T& aggregate) { aggregate = run(Kind::kind, in, out, Sum(), SumSeed{}); }   \
  template <int n, class Callback>                                                                                    \
  void name##Sum(T (&in)[n], T (&out)[n], Callback& callback) {                                                       \
    run(Kind::kind, in, out, Sum(), CallbackSeed<Callback>{callback});                                                \
  }
#define RAFTER_SIMT_CUB_SCANS(name, kind)                                                                             \
  template <class Op>                                                                                                 \
  void name##Scan(T in, T& out, Op op) { single(Kind::kind, in, out, op, NoSeed{}); }                                 \
  template <class Op>                                                                                                 \
  void name##Scan(T in, T& out, Op op, T& aggregate) { aggregate = single(Kind::kind, in, out, op, NoSeed{}); }       \
  template <class Op>                                                                                                 \
  void name##Scan(T in, T& out, T initial, Op op) { single(Kind::kind, in, out, op, ValueSeed{initial}); }            \
  template <class Op>                                                                                                 \
  void name##Scan(T in, T& out, T initial, Op op, T& aggregate) {                                                     \
    aggregate = single(Kind::kind, in, out, op, ValueSeed{initial});                                                  \
  }                                                                                                                   \
  template <class Op, class Callback>                                                                                 \
  void name##Scan(T in, T& out, Op op, Callback& callback) {                                                          \
    single(Kind::kind, in, out, op, CallbackSeed<Callback>{callback});                                                \
  }                                                                                                                   \
  template <int n, class Op>                                                                                          \
  void name##Scan(T (&in)[n], T (&out)[n], Op op) { run(Kind::kind, in, out, op, NoSeed{}); }                         \
  template <int n, class Op>                                                                                          \
  void name##Scan(T (&in)[n], T (&out)[n], Op op, T& aggregate) {                                                     \
    aggregate = run(Kind::kind, in, out, op, NoSeed{});                                                               \
  }                                                                                                                   \
  template <int n, class Op>                                                                                          \
  void name##Scan(T (&in)[n], T (&out)[n], T initial, Op op) { run(Kind::kind, in, out, op, ValueSeed{initial}); }    \
  template <int n, class Op>                                                                                          \
  void name##Scan(T (&in)[n], T (&out)[n], T initial, Op op, T& aggregate) {                                          \
    aggregate = run(Kind::kind, in, out, op, ValueSeed{initial});                                                     \
  }                                                                                                                   \
  template <int n, class Op, class Callback>                                                                          \
  void name##Scan(T (&in)[n], T (&out)[n], Op op, Callback& callback) {                                               \
    run(Kind::kind, in, out, op, CallbackSeed<Callback>{callback});                                                   \
  }
  // clang-format on
  RAFTER_SIMT_CUB_SUMS(Inclusive, inclusive, NoSeed)
  RAFTER_SIMT_CUB_SUMS(Exclusive, exclusive, ValueSeed)
  RAFTER_SIMT_CUB_SCANS(Inclusive, inclusive)
  RAFTER_SIMT_CUB_SCANS(Exclusive, exclusive)
#undef RAFTER_SIMT_CUB_SCANS
#undef RAFTER_SIMT_CUB_SUMS

 private:
  using Scanner = rafter_simt::collective::Scanner<T, Span>;

  template <int n, class Op, class Seed>
  __forceinline__ T run(Kind kind, const T (&in)[n], T (&out)[n], Op op, Seed seed) {
    return Scanner(this->storage_).run(kind, in, out, op, seed);
  }
  template <class Op, class Seed>
  __forceinline__ T single(Kind kind, const T& in, T& out, Op op, Seed seed) {
    const T ins[1] = {in};
    T outs[1];
    const T aggregate = run(kind, ins, outs, op, seed);
    out = outs[0];
    return aggregate;
  }
};

}  // namespace cub
