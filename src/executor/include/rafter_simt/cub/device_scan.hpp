// cub::DeviceScan, in place or not, with and without keys.
#pragma once

#include "rafter_simt/cub/device_call.hpp"

namespace rafter_simt {
namespace collective {

/// A running sum. Sums within tiles start from zero and are added to the previous total, which keeps rounding errors
/// small.
template <class Acc, class Op>
class RunningSum {
 public:
  explicit RunningSum(Op op) : op_(op) {}
  RunningSum(Op op, const Acc& init) : op_(op), before_(init), has_before_(true) {}

  template <class Item>
  void add(const Item& item) {
    tile_ = n_in_tile_ == 0 ? static_cast<Acc>(item) : static_cast<Acc>(op_(tile_, item));
    if (++n_in_tile_ < 256) return;
    before_ = value();
    has_before_ = true;
    n_in_tile_ = 0;
  }
  bool empty() const { return !has_before_ && n_in_tile_ == 0; }
  Acc value() {
    if (n_in_tile_ == 0) return before_;
    return has_before_ ? static_cast<Acc>(op_(before_, tile_)) : tile_;
  }

 private:
  Op op_;
  Acc before_{};
  Acc tile_{};
  bool has_before_ = false;
  int n_in_tile_ = 0;
};

struct AnyKey {
  int operator[](long long) const { return 0; }
};
struct AlwaysEqual {
  bool operator()(int, int) const { return true; }
};

enum class ScanStart { none, init };

/// Scans inclusively or exclusively; the sum restarts where `keys` change.
template <class Acc, class Keys, class In, class Out, class Op, class Init, class Equal>
void scan_all(bool inclusive, ScanStart start, Keys keys, In in, Out out, long long n, Op op, Init init, Equal equal) {
  const auto fresh = [&] {
    return start == ScanStart::init ? RunningSum<Acc, Op>(op, static_cast<Acc>(init)) : RunningSum<Acc, Op>(op);
  };
  RunningSum<Acc, Op> sum = fresh();
  for (long long i = 0; i < n; ++i) {
    if (i > 0 && !equal(keys[i - 1], keys[i])) sum = fresh();
    const ValueOfT<In> item = in[i];  // before the store: in and out may be the same
    if (!inclusive) out[i] = sum.value();
    sum.add(item);
    if (inclusive) out[i] = sum.value();
  }
}

}  // namespace collective
}  // namespace rafter_simt

namespace cub {

struct DeviceScan {
  template <class In, class Out, class N>
  static cudaError_t ExclusiveSum(void* temp, std::size_t& bytes, In in, Out out, N n, cudaStream_t stream = nullptr) {
    using T = rafter_simt::collective::ValueOfT<In>;
    return plain(temp, bytes, false, Start::init, in, out, n, Sum(), T{}, stream);
  }
  template <class In, class N>
  static cudaError_t ExclusiveSum(void* temp, std::size_t& bytes, In data, N n, cudaStream_t stream = nullptr) {
    return ExclusiveSum(temp, bytes, data, data, n, stream);
  }
  template <class In, class Out, class N>
  static cudaError_t InclusiveSum(void* temp, std::size_t& bytes, In in, Out out, N n, cudaStream_t stream = nullptr) {
    using T = rafter_simt::collective::ValueOfT<In>;
    return plain(temp, bytes, true, Start::none, in, out, n, Sum(), T{}, stream);
  }
  template <class In, class N>
  static cudaError_t InclusiveSum(void* temp, std::size_t& bytes, In data, N n, cudaStream_t stream = nullptr) {
    return InclusiveSum(temp, bytes, data, data, n, stream);
  }
  template <class In, class Out, class Op, class Init, class N>
  static cudaError_t ExclusiveScan(void* temp, std::size_t& bytes, In in, Out out, Op op, Init init, N n,
                                   cudaStream_t stream = nullptr) {
    return plain(temp, bytes, false, Start::init, in, out, n, op, init, stream);
  }
  template <class In, class Op, class Init, class N>
  static cudaError_t ExclusiveScan(void* temp, std::size_t& bytes, In data, Op op, Init init, N n,
                                   cudaStream_t stream = nullptr) {
    return plain(temp, bytes, false, Start::init, data, data, n, op, init, stream);
  }
  template <class In, class Out, class Op, class N>
  static cudaError_t InclusiveScan(void* temp, std::size_t& bytes, In in, Out out, Op op, N n,
                                   cudaStream_t stream = nullptr) {
    using T = rafter_simt::collective::ValueOfT<In>;
    return plain(temp, bytes, true, Start::none, in, out, n, op, T{}, stream);
  }
  template <class In, class Op, class N>
  static cudaError_t InclusiveScan(void* temp, std::size_t& bytes, In data, Op op, N n, cudaStream_t stream = nullptr) {
    return InclusiveScan(temp, bytes, data, data, op, n, stream);
  }
  template <class In, class Out, class Op, class Init, class N>
  static cudaError_t InclusiveScanInit(void* temp, std::size_t& bytes, In in, Out out, Op op, Init init, N n,
                                       cudaStream_t stream = nullptr) {
    return plain(temp, bytes, true, Start::init, in, out, n, op, init, stream);
  }

  template <class Keys, class In, class Out, class N, class Equal = Equality>
  static cudaError_t ExclusiveSumByKey(void* temp, std::size_t& bytes, Keys keys, In in, Out out, N n,
                                       Equal equal = Equal(), cudaStream_t stream = nullptr) {
    using T = rafter_simt::collective::ValueOfT<In>;
    return scan(temp, bytes, false, Start::init, keys, in, out, n, Sum(), T{}, equal, stream);
  }
  template <class Keys, class In, class Out, class N, class Equal = Equality>
  static cudaError_t InclusiveSumByKey(void* temp, std::size_t& bytes, Keys keys, In in, Out out, N n,
                                       Equal equal = Equal(), cudaStream_t stream = nullptr) {
    using T = rafter_simt::collective::ValueOfT<In>;
    return scan(temp, bytes, true, Start::none, keys, in, out, n, Sum(), T{}, equal, stream);
  }
  template <class Keys, class In, class Out, class Op, class Init, class N, class Equal = Equality>
  static cudaError_t ExclusiveScanByKey(void* temp, std::size_t& bytes, Keys keys, In in, Out out, Op op, Init init,
                                        N n, Equal equal = Equal(), cudaStream_t stream = nullptr) {
    return scan(temp, bytes, false, Start::init, keys, in, out, n, op, init, equal, stream);
  }
  template <class Keys, class In, class Out, class Op, class N, class Equal = Equality>
  static cudaError_t InclusiveScanByKey(void* temp, std::size_t& bytes, Keys keys, In in, Out out, Op op, N n,
                                        Equal equal = Equal(), cudaStream_t stream = nullptr) {
    using T = rafter_simt::collective::ValueOfT<In>;
    return scan(temp, bytes, true, Start::none, keys, in, out, n, op, T{}, equal, stream);
  }

 private:
  using Start = rafter_simt::collective::ScanStart;

  template <class In, class Out, class N, class Op, class Init>
  static cudaError_t plain(void* temp, std::size_t& bytes, bool inclusive, Start start, In in, Out out, N n, Op op,
                           Init init, cudaStream_t stream) {
    return scan(temp, bytes, inclusive, start, rafter_simt::collective::AnyKey(), in, out, n, op, init,
                rafter_simt::collective::AlwaysEqual(), stream);
  }
  template <class Keys, class In, class Out, class N, class Op, class Init, class Equal>
  static cudaError_t scan(void* temp, std::size_t& bytes, bool inclusive, Start start, Keys keys, In in, Out out, N n,
                          Op op, Init init, Equal equal, cudaStream_t stream) {
    namespace parts = rafter_simt::collective;
    using T = parts::ValueOfT<In>;
    using Acc = parts::AccumulatorT<Op, T, T>;
    return parts::run_on_device({"cub::DeviceScan", temp, bytes, stream}, 0, [=] {
      parts::scan_all<Acc>(inclusive, start, keys, in, out, static_cast<long long>(n), op, init, equal);
    });
  }
};

}  // namespace cub
