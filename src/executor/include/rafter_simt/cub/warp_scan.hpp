// cub::WarpScan: lanes exchange their values, and each combines those before it.
#pragma once

#include "rafter_simt/cub/span.hpp"
#include "rafter_simt/cub/types.hpp"

namespace cub {

template <class T, int LogicalWarpThreads = 32, int LegacyPtxArch = 0>
class WarpScan : public rafter_simt::collective::Collective<rafter_simt::collective::NoStorage> {
  using Span = rafter_simt::collective::WarpSpan<LogicalWarpThreads>;
  using Base = rafter_simt::collective::Collective<rafter_simt::collective::NoStorage>;

 public:
  WarpScan(typename Base::TempStorage& storage) : Base(storage) {}

  void InclusiveSum(T in, T& out) { out = scan(in, nullptr, Sum()).inclusive; }
  void InclusiveSum(T in, T& out, T& aggregate) { InclusiveScan(in, out, Sum(), aggregate); }
  void ExclusiveSum(T in, T& out) {
    const T zero{};
    out = scan(in, &zero, Sum()).exclusive;
  }
  void ExclusiveSum(T in, T& out, T& aggregate) { ExclusiveScan(in, out, T{}, Sum(), aggregate); }

  template <class Op>
  void InclusiveScan(T in, T& out, Op op) {
    out = scan(in, nullptr, op).inclusive;
  }
  template <class Op>
  void InclusiveScan(T in, T& out, T initial, Op op) {
    out = scan(in, &initial, op).inclusive;
  }
  template <class Op>
  void InclusiveScan(T in, T& out, Op op, T& aggregate) {
    const Result result = scan(in, nullptr, op);
    out = result.inclusive, aggregate = result.aggregate;
  }
  template <class Op>
  void InclusiveScan(T in, T& out, T initial, Op op, T& aggregate) {
    const Result result = scan(in, &initial, op);
    out = result.inclusive, aggregate = result.aggregate;
  }
  template <class Op>
  void ExclusiveScan(T in, T& out, Op op) {
    out = scan(in, nullptr, op).exclusive;
  }
  template <class Op>
  void ExclusiveScan(T in, T& out, T initial, Op op) {
    out = scan(in, &initial, op).exclusive;
  }
  template <class Op>
  void ExclusiveScan(T in, T& out, Op op, T& aggregate) {
    const Result result = scan(in, nullptr, op);
    out = result.exclusive, aggregate = result.aggregate;
  }
  template <class Op>
  void ExclusiveScan(T in, T& out, T initial, Op op, T& aggregate) {
    const Result result = scan(in, &initial, op);
    out = result.exclusive, aggregate = result.aggregate;
  }
  template <class Op>
  void Scan(T in, T& inclusive, T& exclusive, Op op) {
    const Result result = scan(in, nullptr, op);
    inclusive = result.inclusive, exclusive = result.exclusive;
  }
  template <class Op>
  void Scan(T in, T& inclusive, T& exclusive, T initial, Op op) {
    const Result result = scan(in, &initial, op);
    inclusive = result.inclusive, exclusive = result.exclusive;
  }
  T Broadcast(T in, unsigned int source_lane) {
    using rafter_simt::WarpOp;
    const int lane = static_cast<int>(Span::first_lane() + source_lane);
    return rafter_simt::shuffle_any(WarpOp::shuffle_index, Span::mask(), in, lane, 32);
  }

 private:
  struct Result {
    T inclusive, exclusive, aggregate;
  };

  /// Scans the values. The aggregate does not include the initial value.
  template <class Op>
  Result scan(const T& in, const T* initial, Op op) {
    rafter_simt::LaneValues<T> values(Span::mask(), in);
    const unsigned first = Span::first_lane(), rank = static_cast<unsigned>(Span::rank());
    T sum = values[first];
    T before = sum;
    for (unsigned i = 1; i <= rank; ++i) {
      before = sum;
      sum = op(sum, values[first + i]);
    }
    Result result{sum, rank > 0 ? before : T{}, sum};
    for (unsigned i = rank + 1; i < LogicalWarpThreads; ++i) result.aggregate = op(result.aggregate, values[first + i]);
    if (initial != nullptr) {
      result.exclusive = rank > 0 ? static_cast<T>(op(*initial, before)) : *initial;
      result.inclusive = op(*initial, sum);
    }
    return result;
  }
};

}  // namespace cub
