// Common parts of CUB's device-wide functions: the temporary-storage protocol, and a one-thread kernel that does the
// work, so that its accesses are device accesses and its operators run as device code.
#pragma once

#include <cstddef>
#include <utility>

#include "rafter_simt/api/runtime_api.hpp"
#include "rafter_simt/cub/span.hpp"
#include "rafter_simt/cub/types.hpp"
#include "rafter_simt/launch/launch.hpp"

namespace rafter_simt {

/// The body of a kernel of these headers. A source that is compiled for each side runs the device's (build/sides).
template <class Body>
struct OwnKernel {
  Body body;
  void operator()() { body(); }
};
template <class Body>
OwnKernel(Body) -> OwnKernel<Body>;

namespace collective {

/// The first two arguments of a device-wide call and its stream.
struct DeviceCall {
  const char* name;
  void* temp;
  std::size_t& temp_bytes;
  cudaStream_t stream;
};

/// Runs body() on the device, or returns the required `bytes` if no storage is given.
template <class Body>
cudaError_t run_on_device(const DeviceCall& call, std::size_t bytes, Body body) {
  if (bytes == 0) bytes = 1;
  if (call.temp == nullptr) {
    call.temp_bytes = bytes;
    return cudaSuccess;
  }
  if (call.temp_bytes < bytes) return cudaErrorInvalidValue;
  return static_cast<cudaError_t>(launch(call.name, Shape(dim3(1), dim3(1), 0, call.stream), OwnKernel{body}));
}

/// Runs body() on the device for calls without temporary storage.
template <class Body>
cudaError_t run_on_device(const char* name, cudaStream_t stream, Body body) {
  return static_cast<cudaError_t>(launch(name, Shape(dim3(1), dim3(1), 0, stream), OwnKernel{body}));
}

/// A sequence seen as items of 16 elements each, so that long sums stay pairwise.
template <class T, class Items, class Op>
struct Chunks {
  static constexpr long long n_each = 16;

  T operator[](long long chunk) const {
    const long long begin = chunk * n_each, end = begin + n_each < n_items ? begin + n_each : n_items;
    T sum = static_cast<T>(items[first + begin]);
    for (long long i = begin + 1; i < end; ++i) sum = static_cast<T>(op(sum, items[first + i]));
    return sum;
  }

  Items& items;
  long long first;
  long long n_items;
  Op& op;
};

/// Combines the n > 0 items from items[first] on, in order.
template <class T, class Items, class Op>
T combine_range(Items items, long long first, long long n, Op op) {
  const Chunks<T, Items, Op> chunks{items, first, n, op};
  const long long n_chunks = (n + chunks.n_each - 1) / chunks.n_each;
  return combine_tree<T>(chunks, 0, n_chunks, 1LL << 62, op);
}

/// The type of an operator's results and start value.
template <class Op, class Init, class Item>
using AccumulatorT = std::decay_t<decltype(std::declval<Op&>()(std::declval<Init>(), std::declval<Item>()))>;

}  // namespace collective
}  // namespace rafter_simt
