// cub::DeviceFor and cub::DeviceTransform, with one thread per item so that races between items are found;
// cub::DeviceAdjacentDifference and cub::DeviceMemcpy.
#pragma once

#include "rafter_simt/cub/device_call.hpp"

namespace rafter_simt {
namespace collective {

template <class Body>
cudaError_t run_for_each(const char* name, long long n, cudaStream_t stream, Body body) {
  if (n <= 0) return cudaSuccess;
  constexpr long long threads = 256;
  const dim3 grid(static_cast<unsigned>((n + threads - 1) / threads));
  OwnKernel kernel{[=]() mutable {
    const long long i = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
    if (i < n) body(i);
  }};
  return static_cast<cudaError_t>(launch(name, Shape(grid, dim3(threads), 0, stream), kernel));
}

}  // namespace collective
}  // namespace rafter_simt

namespace cub {

struct DeviceFor {
  template <class N, class Op>
  static cudaError_t Bulk(N n, Op op, cudaStream_t stream = nullptr) {
    return rafter_simt::collective::run_for_each("cub::DeviceFor", static_cast<long long>(n), stream,
                                                 [=](long long i) mutable { op(static_cast<N>(i)); });
  }
  template <class Iterator, class N, class Op>
  static cudaError_t ForEachN(Iterator first, N n, Op op, cudaStream_t stream = nullptr) {
    return rafter_simt::collective::run_for_each("cub::DeviceFor", static_cast<long long>(n), stream,
                                                 [=](long long i) mutable { op(first[i]); });
  }
  template <class Iterator, class Op>
  static cudaError_t ForEach(Iterator first, Iterator last, Op op, cudaStream_t stream = nullptr) {
    return ForEachN(first, last - first, op, stream);
  }
  template <class Iterator, class N, class Op>
  static cudaError_t ForEachCopyN(Iterator first, N n, Op op, cudaStream_t stream = nullptr) {
    return ForEachN(first, n, op, stream);
  }
  template <class Iterator, class Op>
  static cudaError_t ForEachCopy(Iterator first, Iterator last, Op op, cudaStream_t stream = nullptr) {
    return ForEachN(first, last - first, op, stream);
  }
  // Overloads with temporary storage, which is not needed.
  template <class N, class Op>
  static cudaError_t Bulk(void* temp, std::size_t& bytes, N n, Op op, cudaStream_t stream = nullptr) {
    return temp == nullptr ? ask(bytes) : Bulk(n, op, stream);
  }
  template <class Iterator, class N, class Op>
  static cudaError_t ForEachN(void* temp, std::size_t& bytes, Iterator first, N n, Op op,
                              cudaStream_t stream = nullptr) {
    return temp == nullptr ? ask(bytes) : ForEachN(first, n, op, stream);
  }
  template <class Iterator, class Op>
  static cudaError_t ForEach(void* temp, std::size_t& bytes, Iterator first, Iterator last, Op op,
                             cudaStream_t stream = nullptr) {
    return temp == nullptr ? ask(bytes) : ForEach(first, last, op, stream);
  }

 private:
  static cudaError_t ask(std::size_t& bytes) {
    bytes = 1;
    return cudaSuccess;
  }
};

struct DeviceTransform {
  template <class In, class Out, class N, class Op>
  static cudaError_t Transform(In in, Out out, N n, Op op, cudaStream_t stream = nullptr) {
    return rafter_simt::collective::run_for_each("cub::DeviceTransform", static_cast<long long>(n), stream,
                                                 [=](long long i) mutable { out[i] = op(in[i]); });
  }
};

struct DeviceAdjacentDifference {
  template <class In, class Out, class N, class Op = Difference>
  static cudaError_t SubtractLeftCopy(void* temp, std::size_t& bytes, In in, Out out, N n, Op op = {},
                                      cudaStream_t stream = nullptr) {
    return subtract(temp, bytes, in, out, static_cast<long long>(n), -1, op, stream);
  }
  template <class In, class N, class Op = Difference>
  static cudaError_t SubtractLeft(void* temp, std::size_t& bytes, In data, N n, Op op = {},
                                  cudaStream_t stream = nullptr) {
    return subtract(temp, bytes, data, data, static_cast<long long>(n), -1, op, stream);
  }
  template <class In, class Out, class N, class Op = Difference>
  static cudaError_t SubtractRightCopy(void* temp, std::size_t& bytes, In in, Out out, N n, Op op = {},
                                       cudaStream_t stream = nullptr) {
    return subtract(temp, bytes, in, out, static_cast<long long>(n), 1, op, stream);
  }
  template <class In, class N, class Op = Difference>
  static cudaError_t SubtractRight(void* temp, std::size_t& bytes, In data, N n, Op op = {},
                                   cudaStream_t stream = nullptr) {
    return subtract(temp, bytes, data, data, static_cast<long long>(n), 1, op, stream);
  }

 private:
  /// Iterates in the direction that reads an item's neighbour before replacing it.
  template <class In, class Out, class Op>
  static cudaError_t subtract(void* temp, std::size_t& bytes, In in, Out out, long long n, int side, Op op,
                              cudaStream_t stream) {
    namespace parts = rafter_simt::collective;
    using T = parts::ValueOfT<In>;
    return parts::run_on_device({"cub::DeviceAdjacentDifference", temp, bytes, stream}, 0, [=]() mutable {
      for (long long step = 0; step < n; ++step) {
        const long long i = side < 0 ? n - 1 - step : step;
        const T item = in[i];
        if (step + 1 < n)
          out[i] = op(item, T(in[i + side]));
        else
          out[i] = item;
      }
    });
  }
};

struct DeviceMemcpy {
  template <class From, class To, class Sizes>
  static cudaError_t Batched(void* temp, std::size_t& bytes, From from, To to, Sizes sizes, std::int64_t n_buffers,
                             cudaStream_t stream = nullptr) {
    return rafter_simt::collective::run_on_device({"cub::DeviceMemcpy", temp, bytes, stream}, 0, [=] {
      for (std::int64_t buffer = 0; buffer < n_buffers; ++buffer) {
        const char* const source = static_cast<const char*>(static_cast<const void*>(from[buffer]));
        char* const target = static_cast<char*>(static_cast<void*>(to[buffer]));
        for (std::size_t i = 0; i < static_cast<std::size_t>(sizes[buffer]); ++i) target[i] = source[i];
      }
    });
  }
};

}  // namespace cub
