// cub::DeviceReduce and cub::DeviceSegmentedReduce.
#pragma once

#include "rafter_simt/cub/device_call.hpp"
#include "rafter_simt/cub/iterators.hpp"

namespace rafter_simt {
namespace collective {

template <class Acc, class Items, class Op, class Init>
Acc reduce_with(Items items, long long first, long long n, Op op, const Init& init) {
  if (n <= 0) return static_cast<Acc>(init);
  return static_cast<Acc>(op(static_cast<Acc>(init), combine_range<Acc>(items, first, n, op)));
}

/// Returns the first of the smallest (largest) items, with its index relative to `first`.
template <class T, class Items, class Better>
cub::KeyValuePair<long long, T> find_extremum(Items items, long long first, long long n, Better better, T empty) {
  if (n <= 0) return {1, empty};
  cub::KeyValuePair<long long, T> best(0, static_cast<T>(items[first]));
  for (long long i = 1; i < n; ++i) {
    const T item = static_cast<T>(items[first + i]);
    if (better(item, best.value)) best = {i, item};
  }
  return best;
}

template <class T>
T lowest_of() {
  return std::numeric_limits<T>::is_specialized ? std::numeric_limits<T>::lowest() : T{};
}
template <class T>
T highest_of() {
  return std::numeric_limits<T>::is_specialized ? std::numeric_limits<T>::max() : T{};
}

struct IsLess {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};
struct IsGreater {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return b < a;
  }
};

/// Stores a pair in an output of pairs, whose key may be narrower.
template <class T, class Out>
void store_pair(Out out, long long at, const cub::KeyValuePair<long long, T>& found) {
  using Pair = OutputOfT<Out, cub::KeyValuePair<int, T>>;
  Pair pair;
  pair.key = static_cast<decltype(pair.key)>(found.key);
  pair.value = found.value;
  out[at] = pair;
}

}  // namespace collective
}  // namespace rafter_simt

namespace cub {

struct DeviceReduce {
  template <class In, class Out, class Op, class T, class N>
  static cudaError_t Reduce(void* temp, std::size_t& bytes, In in, Out out, N n, Op op, T init,
                            cudaStream_t stream = nullptr) {
    namespace parts = rafter_simt::collective;
    using Acc = parts::AccumulatorT<Op, T, parts::ValueOfT<In>>;
    return parts::run_on_device({"cub::DeviceReduce", temp, bytes, stream}, 0,
                                [=] { *out = parts::reduce_with<Acc>(in, 0, static_cast<long long>(n), op, init); });
  }
  template <class In, class Out, class N>
  static cudaError_t Sum(void* temp, std::size_t& bytes, In in, Out out, N n, cudaStream_t stream = nullptr) {
    using T = rafter_simt::collective::OutputOfT<Out, rafter_simt::collective::ValueOfT<In>>;
    return Reduce(temp, bytes, in, out, n, cub::Sum(), T{}, stream);
  }
  template <class In, class Out, class N>
  static cudaError_t Min(void* temp, std::size_t& bytes, In in, Out out, N n, cudaStream_t stream = nullptr) {
    using T = rafter_simt::collective::ValueOfT<In>;
    return extremum<T>(temp, bytes, in, out, n, cub::Min(), rafter_simt::collective::highest_of<T>(), stream);
  }
  template <class In, class Out, class N>
  static cudaError_t Max(void* temp, std::size_t& bytes, In in, Out out, N n, cudaStream_t stream = nullptr) {
    using T = rafter_simt::collective::ValueOfT<In>;
    return extremum<T>(temp, bytes, in, out, n, cub::Max(), rafter_simt::collective::lowest_of<T>(), stream);
  }
  template <class In, class Out, class N>
  static cudaError_t ArgMin(void* temp, std::size_t& bytes, In in, Out out, N n, cudaStream_t stream = nullptr) {
    return arg(temp, bytes, in, out, n, rafter_simt::collective::IsLess(), stream);
  }
  template <class In, class Out, class N>
  static cudaError_t ArgMax(void* temp, std::size_t& bytes, In in, Out out, N n, cudaStream_t stream = nullptr) {
    return arg(temp, bytes, in, out, n, rafter_simt::collective::IsGreater(), stream);
  }
  template <class In, class Out, class IndexOut>
  static cudaError_t ArgMin(void* temp, std::size_t& bytes, In in, Out out, IndexOut index_out, std::int64_t n,
                            cudaStream_t stream = nullptr) {
    return arg_apart(temp, bytes, in, out, index_out, n, rafter_simt::collective::IsLess(), stream);
  }
  template <class In, class Out, class IndexOut>
  static cudaError_t ArgMax(void* temp, std::size_t& bytes, In in, Out out, IndexOut index_out, std::int64_t n,
                            cudaStream_t stream = nullptr) {
    return arg_apart(temp, bytes, in, out, index_out, n, rafter_simt::collective::IsGreater(), stream);
  }
  template <class In, class Out, class Op, class Transform, class T, class N>
  static cudaError_t TransformReduce(void* temp, std::size_t& bytes, In in, Out out, N n, Op op, Transform transform,
                                     T init, cudaStream_t stream = nullptr) {
    using Item = std::decay_t<decltype(transform(*in))>;
    return Reduce(temp, bytes, TransformInputIterator<Item, Transform, In>(in, transform), out, n, op, init, stream);
  }
  template <class Keys, class Unique, class Values, class Aggregates, class Runs, class Op, class N>
  static cudaError_t ReduceByKey(void* temp, std::size_t& bytes, Keys keys, Unique unique, Values values,
                                 Aggregates aggregates, Runs n_runs, Op op, N n, cudaStream_t stream = nullptr) {
    namespace parts = rafter_simt::collective;
    using T = parts::ValueOfT<Values>;
    using Acc = parts::AccumulatorT<Op, T, T>;
    return parts::run_on_device({"cub::DeviceReduce::ReduceByKey", temp, bytes, stream}, 0, [=] {
      long long run = 0;
      for (long long begin = 0, end; begin < static_cast<long long>(n); begin = end, ++run) {
        const parts::ValueOfT<Keys> key = keys[begin];
        for (end = begin + 1; end < static_cast<long long>(n) && key == keys[end];) ++end;
        unique[run] = key;
        aggregates[run] = parts::combine_range<Acc>(values, begin, end - begin, op);
      }
      *n_runs = static_cast<parts::OutputOfT<Runs, int>>(run);
    });
  }

 private:
  template <class T, class In, class Out, class N, class Op>
  static cudaError_t extremum(void* temp, std::size_t& bytes, In in, Out out, N n, Op op, T empty,
                              cudaStream_t stream) {
    namespace parts = rafter_simt::collective;
    return parts::run_on_device({"cub::DeviceReduce", temp, bytes, stream}, 0, [=] {
      *out = n > 0 ? parts::combine_range<T>(in, 0, static_cast<long long>(n), op) : empty;
    });
  }
  template <class In, class Out, class N, class Better>
  static cudaError_t arg(void* temp, std::size_t& bytes, In in, Out out, N n, Better better, cudaStream_t stream) {
    namespace parts = rafter_simt::collective;
    using T = parts::ValueOfT<In>;
    return parts::run_on_device({"cub::DeviceReduce", temp, bytes, stream}, 0, [=] {
      parts::store_pair(out, 0, parts::find_extremum<T>(in, 0, static_cast<long long>(n), better, T{}));
    });
  }
  template <class In, class Out, class IndexOut, class Better>
  static cudaError_t arg_apart(void* temp, std::size_t& bytes, In in, Out out, IndexOut index_out, std::int64_t n,
                               Better better, cudaStream_t stream) {
    namespace parts = rafter_simt::collective;
    using T = parts::ValueOfT<In>;
    return parts::run_on_device({"cub::DeviceReduce", temp, bytes, stream}, 0, [=] {
      const auto found = parts::find_extremum<T>(in, 0, n, better, T{});
      *out = found.value;
      *index_out = static_cast<parts::OutputOfT<IndexOut, long long>>(found.key);
    });
  }
};

struct DeviceSegmentedReduce {
  template <class In, class Out, class Begins, class Ends, class Op, class T>
  static cudaError_t Reduce(void* temp, std::size_t& bytes, In in, Out out, std::int64_t n_segments, Begins begins,
                            Ends ends, Op op, T init, cudaStream_t stream = nullptr) {
    namespace parts = rafter_simt::collective;
    using Acc = parts::AccumulatorT<Op, T, parts::ValueOfT<In>>;
    return each(temp, bytes, n_segments, begins, ends, stream, [=](long long segment, long long begin, long long n) {
      out[segment] = parts::reduce_with<Acc>(in, begin, n, op, init);
    });
  }
  template <class In, class Out, class Begins, class Ends>
  static cudaError_t Sum(void* temp, std::size_t& bytes, In in, Out out, std::int64_t n_segments, Begins begins,
                         Ends ends, cudaStream_t stream = nullptr) {
    using T = rafter_simt::collective::OutputOfT<Out, rafter_simt::collective::ValueOfT<In>>;
    return Reduce(temp, bytes, in, out, n_segments, begins, ends, cub::Sum(), T{}, stream);
  }
  template <class In, class Out, class Begins, class Ends>
  static cudaError_t Min(void* temp, std::size_t& bytes, In in, Out out, std::int64_t n_segments, Begins begins,
                         Ends ends, cudaStream_t stream = nullptr) {
    using T = rafter_simt::collective::ValueOfT<In>;
    return Reduce(temp, bytes, in, out, n_segments, begins, ends, cub::Min(), rafter_simt::collective::highest_of<T>(),
                  stream);
  }
  template <class In, class Out, class Begins, class Ends>
  static cudaError_t Max(void* temp, std::size_t& bytes, In in, Out out, std::int64_t n_segments, Begins begins,
                         Ends ends, cudaStream_t stream = nullptr) {
    using T = rafter_simt::collective::ValueOfT<In>;
    return Reduce(temp, bytes, in, out, n_segments, begins, ends, cub::Max(), rafter_simt::collective::lowest_of<T>(),
                  stream);
  }
  template <class In, class Out, class Begins, class Ends>
  static cudaError_t ArgMin(void* temp, std::size_t& bytes, In in, Out out, std::int64_t n_segments, Begins begins,
                            Ends ends, cudaStream_t stream = nullptr) {
    namespace parts = rafter_simt::collective;
    using T = parts::ValueOfT<In>;
    return each(temp, bytes, n_segments, begins, ends, stream, [=](long long segment, long long begin, long long n) {
      const T empty = parts::highest_of<T>();
      parts::store_pair(out, segment, parts::find_extremum<T>(in, begin, n, parts::IsLess(), empty));
    });
  }
  template <class In, class Out, class Begins, class Ends>
  static cudaError_t ArgMax(void* temp, std::size_t& bytes, In in, Out out, std::int64_t n_segments, Begins begins,
                            Ends ends, cudaStream_t stream = nullptr) {
    namespace parts = rafter_simt::collective;
    using T = parts::ValueOfT<In>;
    return each(temp, bytes, n_segments, begins, ends, stream, [=](long long segment, long long begin, long long n) {
      const T empty = parts::lowest_of<T>();
      parts::store_pair(out, segment, parts::find_extremum<T>(in, begin, n, parts::IsGreater(), empty));
    });
  }

 private:
  template <class Begins, class Ends, class Body>
  static cudaError_t each(void* temp, std::size_t& bytes, std::int64_t n_segments, Begins begins, Ends ends,
                          cudaStream_t stream, Body body) {
    namespace parts = rafter_simt::collective;
    return parts::run_on_device({"cub::DeviceSegmentedReduce", temp, bytes, stream}, 0, [=] {
      for (std::int64_t segment = 0; segment < n_segments; ++segment) {
        const long long begin = static_cast<long long>(begins[segment]), end = static_cast<long long>(ends[segment]);
        body(segment, begin, end - begin);
      }
    });
  }
};

}  // namespace cub
