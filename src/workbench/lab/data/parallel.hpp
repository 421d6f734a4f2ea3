// Loops over what a case has in memory: by the host's threads, or on the GPU that has it. What a loop does is one
// source for both.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "rafter/buffer.hpp"
#include "rafter/error.hpp"
#include "rafter/stream.hpp"

namespace rafter::lab {

/// A function of an index that nvcc has compiled, too (workbench/lab/data/device_code.cuh). It says so itself, has a
/// constexpr call operator, and is passed to kernels as it is.
template <class F>
concept DeviceFunction = requires {
  requires F::has_device_code;
}
&&std::is_trivially_copyable_v<F>;

/// What it gives for an index.
template <class F>
using ResultAt = std::invoke_result_t<const F&, std::int64_t>;

/// Calls f(i) on a GPU for all i of [0, n), in a thread each. What comes of it goes to results[i] there, if anything.
template <DeviceFunction F>
void run_on_gpu(const Stream& stream, std::int64_t n, const F& f, ResultAt<F>* results);

inline void require_host(const Stream& stream) {
  if (stream.device() != Device::cpu)
    throw Error(ErrorCode::unsupported,
                "this loop runs on the host, not on device " + std::string(name(stream.device())));
}

/// Where loops over a device's memory run: on it if it is a GPU, on the host otherwise, which sees it or gets a copy.
inline Stream loop_stream(const Stream& stream) { return stream.device() == Device::cuda ? stream : Stream::cpu(); }

/// Calls f(i) for all i of [0, n), in whose memory the stream says. On a GPU only device functions can.
template <class F>
void for_indices(const Stream& stream, std::int64_t n, const F& f) {
#ifdef RAFTER_WITH_CUDA
  if constexpr (DeviceFunction<F>) {
    if (stream.device() == Device::cuda) return run_on_gpu(stream, n, f, nullptr);
  }
#endif
  require_host(stream);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) f(i);
}

/// The same, and what it gives for each.
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
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t i = 0; i < n; ++i) results[static_cast<std::size_t>(i)] = f(i);
  return results;
}

}  // namespace rafter::lab
