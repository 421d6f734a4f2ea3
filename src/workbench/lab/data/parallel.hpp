// Loops over the arrays of a case, on the threads of the host or on the GPU that has the array. The same source is
// compiled for both.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "library/core/parts.hpp"
#include "rafter/buffer.hpp"
#include "rafter/error.hpp"
#include "rafter/stream.hpp"

namespace rafter::lab {

/// A function of an index that is also compiled by nvcc (workbench/lab/data/device_code.cuh). It declares
/// `has_device_code`, has a constexpr call operator, and is passed to kernels by value.
template <class F>
concept DeviceFunction = requires {
  requires F::has_device_code;
}
&&std::is_trivially_copyable_v<F>;

/// The result type of F for an index.
template <class F>
using ResultAt = std::invoke_result_t<const F&, std::int64_t>;

/// Calls f(i) on a GPU for all i of [0, n), one thread each, and stores the results, if any, in results[i] in GPU
/// memory.
template <DeviceFunction F>
void run_on_gpu(const Stream& stream, std::int64_t n, const F& f, ResultAt<F>* results);

inline void require_host(const Stream& stream) {
  if (stream.device() != Device::cpu)
    throw Error(ErrorCode::unsupported,
                "this loop can run on the host only, not on device " + std::string(name(stream.device())));
}

/// Returns the stream that loops over a device's memory run on: the GPU's own, otherwise the host's. The host accesses
/// the memory directly or through a copy.
inline Stream loop_stream(const Stream& stream) { return stream.device() == Device::cuda ? stream : Stream::cpu(); }

/// Calls f(i) for all i of [0, n) on the stream's device. Only device functions can run on a GPU.
template <class F>
void for_indices(const Stream& stream, std::int64_t n, const F& f) {
#ifdef RAFTER_WITH_CUDA
  if constexpr (DeviceFunction<F>) {
    if (stream.device() == Device::cuda) return run_on_gpu(stream, n, f, nullptr);
  }
#endif
  require_host(stream);
  core::for_each_index(core::default_threads(), n, f);
}

/// Calls f(i) for all i of [0, n) on the stream's device and returns the results.
template <class F>
std::vector<ResultAt<F>> map_indices(const Stream& stream, std::int64_t n, const F& f) {
  std::vector<ResultAt<F>> results(static_cast<std::size_t>(n));
#ifdef RAFTER_WITH_CUDA
  if constexpr (DeviceFunction<F>) {
    if (stream.device() == Device::cuda) {
      Buffer<ResultAt<F>> there(stream, n);
      run_on_gpu(stream, n, f, there.data());
      there.copy_to(results);
      return results;
    }
  }
#endif
  require_host(stream);
  core::share_out(core::default_threads(), n, [&](std::int64_t i) { results[static_cast<std::size_t>(i)] = f(i); });
  return results;
}

}  // namespace rafter::lab
