// cub::DeviceSelect, cub::DevicePartition and cub::DeviceRunLengthEncode.
#pragma once

#include "rafter_simt/cub/device_call.hpp"

namespace cub {

struct DeviceSelect {
  template <class In, class Flags, class Out, class Selected>
  static cudaError_t Flagged(void* temp, std::size_t& bytes, In in, Flags flags, Out out, Selected n_selected,
                             std::int64_t n, cudaStream_t stream = nullptr) {
    return select(temp, bytes, in, out, n_selected, n, stream,
                  [=](long long i, const auto&) { return static_cast<bool>(flags[i]); });
  }
  template <class In, class Flags, class Selected>
  static cudaError_t Flagged(void* temp, std::size_t& bytes, In data, Flags flags, Selected n_selected, std::int64_t n,
                             cudaStream_t stream = nullptr) {
    return Flagged(temp, bytes, data, flags, data, n_selected, n, stream);
  }
  template <class In, class Out, class Selected, class Op>
  static cudaError_t If(void* temp, std::size_t& bytes, In in, Out out, Selected n_selected, std::int64_t n, Op op,
                        cudaStream_t stream = nullptr) {
    return select(temp, bytes, in, out, n_selected, n, stream,
                  [op](long long, const auto& item) mutable { return static_cast<bool>(op(item)); });
  }
  template <class In, class Selected, class Op>
  static cudaError_t If(void* temp, std::size_t& bytes, In data, Selected n_selected, std::int64_t n, Op op,
                        cudaStream_t stream = nullptr) {
    return If(temp, bytes, data, data, n_selected, n, op, stream);
  }
  template <class In, class Flags, class Out, class Selected, class Op>
  static cudaError_t FlaggedIf(void* temp, std::size_t& bytes, In in, Flags flags, Out out, Selected n_selected,
                               std::int64_t n, Op op, cudaStream_t stream = nullptr) {
    return select(temp, bytes, in, out, n_selected, n, stream,
                  [=](long long i, const auto&) mutable { return static_cast<bool>(op(flags[i])); });
  }
  template <class In, class Out, class Selected>
  static cudaError_t Unique(void* temp, std::size_t& bytes, In in, Out out, Selected n_selected, std::int64_t n,
                            cudaStream_t stream = nullptr) {
    using T = rafter_simt::collective::ValueOfT<In>;
    return select(temp, bytes, in, out, n_selected, n, stream, [last = T{}](long long i, const auto& item) mutable {
      const bool first = i == 0 || !(last == item);
      last = item;
      return first;
    });
  }
  template <class Keys, class Values, class KeysOut, class ValuesOut, class Selected, class N>
  static cudaError_t UniqueByKey(void* temp, std::size_t& bytes, Keys keys, Values values, KeysOut keys_out,
                                 ValuesOut values_out, Selected n_selected, N n, cudaStream_t stream = nullptr) {
    namespace parts = rafter_simt::collective;
    return parts::run_on_device({"cub::DeviceSelect", temp, bytes, stream}, 0, [=] {
      long long count = 0;
      parts::ValueOfT<Keys> last{};
      for (long long i = 0; i < static_cast<long long>(n); ++i) {
        const parts::ValueOfT<Keys> key = keys[i];
        if (i == 0 || !(last == key)) {
          keys_out[count] = key;
          values_out[count++] = values[i];
        }
        last = key;
      }
      *n_selected = static_cast<parts::OutputOfT<Selected, int>>(count);
    });
  }

 private:
  template <class In, class Out, class Selected, class Test>
  static cudaError_t select(void* temp, std::size_t& bytes, In in, Out out, Selected n_selected, std::int64_t n,
                            cudaStream_t stream, Test test) {
    namespace parts = rafter_simt::collective;
    return parts::run_on_device({"cub::DeviceSelect", temp, bytes, stream}, 0, [=]() mutable {
      long long count = 0;
      for (long long i = 0; i < n; ++i) {
        const parts::ValueOfT<In> item = in[i];
        if (test(i, item)) out[count++] = item;
      }
      *n_selected = static_cast<parts::OutputOfT<Selected, int>>(count);
    });
  }
};

/// Selected items come first in order, the others last in reverse order, as in CUB.
struct DevicePartition {
  template <class In, class Flags, class Out, class Selected, class N>
  static cudaError_t Flagged(void* temp, std::size_t& bytes, In in, Flags flags, Out out, Selected n_selected, N n,
                             cudaStream_t stream = nullptr) {
    return partition(temp, bytes, in, out, n_selected, static_cast<std::int64_t>(n), stream,
                     [=](long long i, const auto&) { return static_cast<bool>(flags[i]); });
  }
  template <class In, class Out, class Selected, class N, class Op>
  static cudaError_t If(void* temp, std::size_t& bytes, In in, Out out, Selected n_selected, N n, Op op,
                        cudaStream_t stream = nullptr) {
    return partition(temp, bytes, in, out, n_selected, static_cast<std::int64_t>(n), stream,
                     [op](long long, const auto& item) mutable { return static_cast<bool>(op(item)); });
  }
  /// Partitions three ways; n_selected receives the first two sizes.
  template <class In, class First, class Second, class Rest, class Selected, class N, class OpFirst, class OpSecond>
  static cudaError_t If(void* temp, std::size_t& bytes, In in, First first, Second second, Rest rest,
                        Selected n_selected, N n, OpFirst op_first, OpSecond op_second, cudaStream_t stream = nullptr) {
    namespace parts = rafter_simt::collective;
    return parts::run_on_device({"cub::DevicePartition", temp, bytes, stream}, 0, [=]() mutable {
      long long n_first = 0, n_second = 0, n_rest = 0;
      for (long long i = 0; i < static_cast<long long>(n); ++i) {
        const parts::ValueOfT<In> item = in[i];
        if (op_first(item))
          first[n_first++] = item;
        else if (op_second(item))
          second[n_second++] = item;
        else
          rest[n_rest++] = item;
      }
      using Count = parts::OutputOfT<Selected, int>;
      n_selected[0] = static_cast<Count>(n_first);
      n_selected[1] = static_cast<Count>(n_second);
    });
  }

 private:
  template <class In, class Out, class Selected, class Test>
  static cudaError_t partition(void* temp, std::size_t& bytes, In in, Out out, Selected n_selected, std::int64_t n,
                               cudaStream_t stream, Test test) {
    namespace parts = rafter_simt::collective;
    return parts::run_on_device({"cub::DevicePartition", temp, bytes, stream}, 0, [=]() mutable {
      long long front = 0, back = n;
      for (long long i = 0; i < n; ++i) {
        const parts::ValueOfT<In> item = in[i];
        if (test(i, item))
          out[front++] = item;
        else
          out[--back] = item;
      }
      *n_selected = static_cast<parts::OutputOfT<Selected, int>>(front);
    });
  }
};

struct DeviceRunLengthEncode {
  template <class In, class Unique, class Counts, class Runs, class N>
  static cudaError_t Encode(void* temp, std::size_t& bytes, In in, Unique unique, Counts counts, Runs n_runs, N n,
                            cudaStream_t stream = nullptr) {
    return each_run(temp, bytes, in, n_runs, n, 1, stream, [=](long long run, long long begin, long long length) {
      unique[run] = in[begin];
      counts[run] = static_cast<rafter_simt::collective::OutputOfT<Counts, int>>(length);
    });
  }
  template <class In, class Offsets, class Lengths, class Runs, class N>
  static cudaError_t NonTrivialRuns(void* temp, std::size_t& bytes, In in, Offsets offsets, Lengths lengths,
                                    Runs n_runs, N n, cudaStream_t stream = nullptr) {
    return each_run(temp, bytes, in, n_runs, n, 2, stream, [=](long long run, long long begin, long long length) {
      offsets[run] = static_cast<rafter_simt::collective::OutputOfT<Offsets, int>>(begin);
      lengths[run] = static_cast<rafter_simt::collective::OutputOfT<Lengths, int>>(length);
    });
  }

 private:
  template <class In, class Runs, class N, class Store>
  static cudaError_t each_run(void* temp, std::size_t& bytes, In in, Runs n_runs, N n, long long shortest,
                              cudaStream_t stream, Store store) {
    namespace parts = rafter_simt::collective;
    return parts::run_on_device({"cub::DeviceRunLengthEncode", temp, bytes, stream}, 0, [=] {
      long long run = 0;
      for (long long begin = 0, end; begin < static_cast<long long>(n); begin = end) {
        const parts::ValueOfT<In> value = in[begin];
        for (end = begin + 1; end < static_cast<long long>(n) && value == in[end];) ++end;
        if (end - begin >= shortest) store(run++, begin, end - begin);
      }
      *n_runs = static_cast<parts::OutputOfT<Runs, int>>(run);
    });
  }
};

}  // namespace cub
