// cub::BlockReduce and cub::WarpReduce. In a block, threads publish their values and thread 0 combines them, warp by
// warp in the order of CUB's warp reductions. In a warp, lanes exchange their values and every lane combines them.
#pragma once

#include "rafter_simt/cub/span.hpp"
#include "rafter_simt/cub/types.hpp"

namespace rafter_simt {
namespace collective {

template <class T, int n_threads>
struct ReduceStorage {
  Slots<T, n_threads> values;
};

}  // namespace collective
}  // namespace rafter_simt

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS,
  BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC,
};

/// The result is valid in thread 0; other threads get their own input back.
template <class T, int BlockDimX, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int BlockDimY = 1,
          int BlockDimZ = 1, int LegacyPtxArch = 0>
class BlockReduce : public rafter_simt::collective::Collective<
                        rafter_simt::collective::ReduceStorage<T, BlockDimX * BlockDimY * BlockDimZ>> {
  using Span = rafter_simt::collective::BlockSpan<BlockDimX, BlockDimY, BlockDimZ>;
  using Base =
      rafter_simt::collective::Collective<rafter_simt::collective::ReduceStorage<T, BlockDimX * BlockDimY * BlockDimZ>>;

 public:
  BlockReduce() = default;
  BlockReduce(typename Base::TempStorage& storage) : Base(storage) {}

  template <class Op>
  T Reduce(T input, Op op) {
    return Reduce(input, op, Span::n_threads);
  }
  template <class Op>
  __forceinline__ T Reduce(T input, Op op, int num_valid) {
    auto& values = this->storage_.values;
    const int rank = Span::rank();
    if (rank < num_valid) values[rank] = input;
    Span::sync();
    if (rank != 0) return input;
    const int n = num_valid < Span::n_threads ? num_valid : Span::n_threads;
    T result = input;
    rafter_simt::collective::Slots<T, 32> lanes;
    for (int warp = 0; warp < n; warp += 32) {
      const int n_lanes = n - warp < 32 ? n - warp : 32;
      for (int lane = 0; lane < n_lanes; ++lane) lanes[lane] = values[warp + lane];
      const T sum = rafter_simt::collective::combine_tree<T>(lanes, 0, n_lanes, 32, op);
      result = warp == 0 ? sum : static_cast<T>(op(result, sum));
    }
    return result;
  }
  template <int n, class Op>
  T Reduce(T (&inputs)[n], Op op) {
    return Reduce(rafter_simt::collective::combine_items(inputs, op), op);
  }
  T Sum(T input) { return Reduce(input, cub::Sum()); }
  T Sum(T input, int num_valid) { return Reduce(input, cub::Sum(), num_valid); }
  template <int n>
  T Sum(T (&inputs)[n]) {
    return Reduce(inputs, cub::Sum());
  }
};

/// The result is valid in lane 0 of each logical warp or segment; here every lane of the warp has the warp's result.
template <class T, int LogicalWarpThreads = 32, int LegacyPtxArch = 0>
class WarpReduce : public rafter_simt::collective::Collective<rafter_simt::collective::NoStorage> {
  using Span = rafter_simt::collective::WarpSpan<LogicalWarpThreads>;
  using Base = rafter_simt::collective::Collective<rafter_simt::collective::NoStorage>;

 public:
  WarpReduce(typename Base::TempStorage& storage) : Base(storage) {}

  template <class Op>
  T Reduce(T input, Op op) {
    return Reduce(input, op, LogicalWarpThreads);
  }
  template <class Op>
  T Reduce(T input, Op op, int valid_items) {
    rafter_simt::LaneValues<T> values(Span::mask(), input);
    const int n = valid_items < LogicalWarpThreads ? valid_items : LogicalWarpThreads;
    return rafter_simt::collective::combine_tree<T>(values, Span::first_lane(), n, 32, op);
  }
  template <int n, class Op>
  T Reduce(T (&inputs)[n], Op op) {
    return Reduce(rafter_simt::collective::combine_items(inputs, op), op);
  }
  T Sum(T input) { return Reduce(input, cub::Sum()); }
  T Sum(T input, int valid_items) { return Reduce(input, cub::Sum(), valid_items); }
  template <int n>
  T Sum(T (&inputs)[n]) {
    return Reduce(inputs, cub::Sum());
  }
  T Max(T input) { return Reduce(input, cub::Max()); }
  T Min(T input) { return Reduce(input, cub::Min()); }

  template <class Flag, class Op>
  T HeadSegmentedReduce(T input, Flag head_flag, Op op) {
    return segment(input, __ballot_sync(Span::mask(), head_flag != 0) >> 1, op);
  }
  template <class Flag, class Op>
  T TailSegmentedReduce(T input, Flag tail_flag, Op op) {
    return segment(input, __ballot_sync(Span::mask(), tail_flag != 0), op);
  }
  template <class Flag>
  T HeadSegmentedSum(T input, Flag head_flag) {
    return HeadSegmentedReduce(input, head_flag, cub::Sum());
  }
  template <class Flag>
  T TailSegmentedSum(T input, Flag tail_flag) {
    return TailSegmentedReduce(input, tail_flag, cub::Sum());
  }

 private:
  /// Reduces from the caller's lane to the next lane that ends a segment.
  template <class Op>
  T segment(T input, unsigned ends, Op op) {
    rafter_simt::LaneValues<T> values(Span::mask(), input);
    const unsigned begin = rafter_simt::current_lane();
    unsigned end = begin;
    while (end + 1 < Span::first_lane() + LogicalWarpThreads && (ends >> end & 1u) == 0) ++end;
    return rafter_simt::collective::combine_tree<T>(values, begin, end - begin + 1, 32, op);
  }
};

}  // namespace cub
