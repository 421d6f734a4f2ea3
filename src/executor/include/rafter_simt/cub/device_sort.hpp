// cub::DeviceRadixSort and cub::DeviceSegmentedRadixSort, cub::DeviceSegmentedSort. CUB's overloads make the file long.
#pragma once

#include "rafter_simt/cub/device_call.hpp"
#include "rafter_simt/cub/sort_order.hpp"

namespace rafter_simt {
namespace collective {

/// Two index arrays of n elements and the digit counts, in a call's temporary storage.
struct SortScratch {
  static std::size_t bytes(long long n) {
    return 256 * sizeof(long long) + 2 * static_cast<std::size_t>(n) * sizeof(std::uint32_t);
  }
  SortScratch(void* temp, long long n)
      : counts(static_cast<long long*>(temp)),
        order(reinterpret_cast<std::uint32_t*>(counts + 256)),
        spare(order + n) {}

  long long* counts;
  std::uint32_t* order;
  std::uint32_t* spare;
};

template <class Key, class Value>
struct SortArrays {
  const Key* keys_in;
  Key* keys_out;
  const Value* values_in;  // null if there are only keys
  Value* values_out;
};

template <class Key, class Value>
void sort_range(const SortArrays<Key, Value>& arrays, long long begin, long long n, BitRange range,
                const SortScratch& scratch) {
  const Key* keys = arrays.keys_in + begin;
  const std::uint32_t* order = order_by_bits(keys, n, range, scratch.order, scratch.spare, scratch.counts);
  for (long long i = 0; i < n; ++i) {
    arrays.keys_out[begin + i] = keys[order[i]];
    if (arrays.values_in != nullptr) arrays.values_out[begin + i] = arrays.values_in[begin + order[i]];
  }
}

/// A single segment that contains everything.
struct OneSegment {
  long long n_segments() const { return 1; }
  long long begin(long long) const { return 0; }
  long long end(long long) const { return n_items; }

  long long n_items;
};
template <class Begins, class Ends>
struct Segments {
  long long n_segments() const { return n; }
  long long begin(long long segment) const { return static_cast<long long>(begins[segment]); }
  long long end(long long segment) const { return static_cast<long long>(ends[segment]); }

  long long n;
  Begins begins;
  Ends ends;
};

template <class Key, class Value, class Where>
cudaError_t sort_arrays(const DeviceCall& call, SortArrays<Key, Value> arrays, long long n, Where where,
                        BitRange range) {
  if (n > 0xffffffffLL) return cudaErrorInvalidValue;
  void* const temp = call.temp;
  return run_on_device(call, SortScratch::bytes(n), [=] {
    const SortScratch scratch(temp, n);
    for (long long segment = 0; segment < where.n_segments(); ++segment)
      sort_range(arrays, where.begin(segment), where.end(segment) - where.begin(segment), range, scratch);
  });
}

/// Sorts from the current buffers to the others, which become current.
template <class Key, class Value, class Where>
cudaError_t sort_buffers(const DeviceCall& call, cub::DoubleBuffer<Key>& keys, cub::DoubleBuffer<Value>* values,
                         long long n, Where where, BitRange range) {
  SortArrays<Key, Value> arrays{keys.Current(), keys.Alternate(), nullptr, nullptr};
  if (values != nullptr) arrays.values_in = values->Current(), arrays.values_out = values->Alternate();
  const cudaError_t status = sort_arrays(call, arrays, n, where, range);
  if (call.temp != nullptr && status == cudaSuccess) {
    keys.selector ^= 1;
    if (values != nullptr) values->selector ^= 1;
  }
  return status;
}

}  // namespace collective
}  // namespace rafter_simt

namespace cub {

struct DeviceRadixSort {
#define RAFTER_SIMT_CUB_SORT(suffix, descending)                                                                       \
  template <class Key, class N>                                                                                        \
  static cudaError_t SortKeys##suffix(void* temp, std::size_t& bytes, const Key* keys_in, Key* keys_out, N n,          \
                                      int begin_bit = 0, int end_bit = sizeof(Key) * 8,                                \
                                      cudaStream_t stream = nullptr) {                                                 \
    return arrays<Key, NullType>({name(), temp, bytes, stream}, {keys_in, keys_out, nullptr, nullptr}, n,              \
                                 {begin_bit, end_bit, descending});                                                    \
  }                                                                                                                    \
  template <class Key, class N>                                                                                        \
  static cudaError_t SortKeys##suffix(void* temp, std::size_t& bytes, DoubleBuffer<Key>& keys, N n, int begin_bit = 0, \
                                      int end_bit = sizeof(Key) * 8, cudaStream_t stream = nullptr) {                  \
    return buffers<Key, NullType>({name(), temp, bytes, stream}, keys, nullptr, n, {begin_bit, end_bit, descending});  \
  }                                                                                                                    \
  template <class Key, class Value, class N>                                                                           \
  static cudaError_t SortPairs##suffix(void* temp, std::size_t& bytes, const Key* keys_in, Key* keys_out,              \
                                       const Value* values_in, Value* values_out, N n, int begin_bit = 0,              \
                                       int end_bit = sizeof(Key) * 8, cudaStream_t stream = nullptr) {                 \
    return arrays<Key, Value>({name(), temp, bytes, stream}, {keys_in, keys_out, values_in, values_out}, n,            \
                              {begin_bit, end_bit, descending});                                                       \
  }                                                                                                                    \
  template <class Key, class Value, class N>                                                                           \
  static cudaError_t SortPairs##suffix(void* temp, std::size_t& bytes, DoubleBuffer<Key>& keys,                        \
                                       DoubleBuffer<Value>& values, N n, int begin_bit = 0,                            \
                                       int end_bit = sizeof(Key) * 8, cudaStream_t stream = nullptr) {                 \
    return buffers<Key, Value>({name(), temp, bytes, stream}, keys, &values, n, {begin_bit, end_bit, descending});     \
  }
  RAFTER_SIMT_CUB_SORT(, false)
  RAFTER_SIMT_CUB_SORT(Descending, true)
#undef RAFTER_SIMT_CUB_SORT

 private:
  static const char* name() { return "cub::DeviceRadixSort"; }
  template <class Key, class Value, class N>
  static cudaError_t arrays(const rafter_simt::collective::DeviceCall& call,
                            rafter_simt::collective::SortArrays<Key, Value> arrays, N n,
                            rafter_simt::collective::BitRange range) {
    const long long count = static_cast<long long>(n);
    return rafter_simt::collective::sort_arrays(call, arrays, count, rafter_simt::collective::OneSegment{count}, range);
  }
  template <class Key, class Value, class N>
  static cudaError_t buffers(const rafter_simt::collective::DeviceCall& call, DoubleBuffer<Key>& keys,
                             DoubleBuffer<Value>* values, N n, rafter_simt::collective::BitRange range) {
    const long long count = static_cast<long long>(n);
    return rafter_simt::collective::sort_buffers(call, keys, values, count, rafter_simt::collective::OneSegment{count},
                                                 range);
  }
};

namespace detail {
/// Sorts of segments; `More` takes the arguments after the offsets: bits and stream, or the stream alone.
struct SegmentedSort {
#define RAFTER_SIMT_CUB_SORT(prefix, suffix, descending)                                                            \
  template <class Key, class Begins, class Ends, class... More>                                                     \
  static cudaError_t prefix##Keys##suffix(void* temp, std::size_t& bytes, const Key* keys_in, Key* keys_out,        \
                                          std::int64_t n, std::int64_t n_segments, Begins begins, Ends ends,        \
                                          More... more) {                                                           \
    return rafter_simt::collective::sort_arrays<Key, NullType>(                                                     \
        {name(), temp, bytes, stream(more...)}, {keys_in, keys_out, nullptr, nullptr}, n,                           \
        rafter_simt::collective::Segments<Begins, Ends>{n_segments, begins, ends}, bits<Key>(descending, more...)); \
  }                                                                                                                 \
  template <class Key, class Begins, class Ends, class... More>                                                     \
  static cudaError_t prefix##Keys##suffix(void* temp, std::size_t& bytes, DoubleBuffer<Key>& keys, std::int64_t n,  \
                                          std::int64_t n_segments, Begins begins, Ends ends, More... more) {        \
    return rafter_simt::collective::sort_buffers<Key, NullType>(                                                    \
        {name(), temp, bytes, stream(more...)}, keys, nullptr, n,                                                   \
        rafter_simt::collective::Segments<Begins, Ends>{n_segments, begins, ends}, bits<Key>(descending, more...)); \
  }                                                                                                                 \
  template <class Key, class Value, class Begins, class Ends, class... More>                                        \
  static cudaError_t prefix##Pairs##suffix(void* temp, std::size_t& bytes, const Key* keys_in, Key* keys_out,       \
                                           const Value* values_in, Value* values_out, std::int64_t n,               \
                                           std::int64_t n_segments, Begins begins, Ends ends, More... more) {       \
    return rafter_simt::collective::sort_arrays<Key, Value>(                                                        \
        {name(), temp, bytes, stream(more...)}, {keys_in, keys_out, values_in, values_out}, n,                      \
        rafter_simt::collective::Segments<Begins, Ends>{n_segments, begins, ends}, bits<Key>(descending, more...)); \
  }                                                                                                                 \
  template <class Key, class Value, class Begins, class Ends, class... More>                                        \
  static cudaError_t prefix##Pairs##suffix(void* temp, std::size_t& bytes, DoubleBuffer<Key>& keys,                 \
                                           DoubleBuffer<Value>& values, std::int64_t n, std::int64_t n_segments,    \
                                           Begins begins, Ends ends, More... more) {                                \
    return rafter_simt::collective::sort_buffers<Key, Value>(                                                       \
        {name(), temp, bytes, stream(more...)}, keys, &values, n,                                                   \
        rafter_simt::collective::Segments<Begins, Ends>{n_segments, begins, ends}, bits<Key>(descending, more...)); \
  }
  RAFTER_SIMT_CUB_SORT(Sort, , false)
  RAFTER_SIMT_CUB_SORT(Sort, Descending, true)
  RAFTER_SIMT_CUB_SORT(StableSort, , false)
  RAFTER_SIMT_CUB_SORT(StableSort, Descending, true)
#undef RAFTER_SIMT_CUB_SORT

 private:
  static const char* name() { return "cub::DeviceSegmentedSort"; }
  static cudaStream_t stream(int, int, cudaStream_t stream = nullptr) { return stream; }
  static cudaStream_t stream(int) { return nullptr; }
  static cudaStream_t stream(cudaStream_t stream = nullptr) { return stream; }
  template <class Key>
  static rafter_simt::collective::BitRange bits(bool descending, int begin, int end = sizeof(Key) * 8,
                                                cudaStream_t = nullptr) {
    return {begin, end, descending};
  }
  template <class Key>
  static rafter_simt::collective::BitRange bits(bool descending, cudaStream_t = nullptr) {
    return {0, sizeof(Key) * 8, descending};
  }
};
}  // namespace detail

struct DeviceSegmentedRadixSort : detail::SegmentedSort {};
struct DeviceSegmentedSort : detail::SegmentedSort {};

}  // namespace cub
