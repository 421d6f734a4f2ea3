// Passes over elements or keys with one thread each, and those that initialise and finish the results.
#pragma once

#include "scatter/cuda/scatter_view.cuh"
#include "scatter/scatter_results.hpp"

namespace rafter::scatter_ladder::RAFTER_BACKEND {

inline constexpr int pass_threads = 256;

/// Returns the element of a pass that belongs to a thread of a block.
__device__ inline std::int64_t pass_index(unsigned block, unsigned thread) {
  return block * std::int64_t{pass_threads} + thread;
}

template <class... Params>
void launch_pass(void (*kernel)(Params...), const Stream& stream, std::int64_t n,
                 std::type_identity_t<Params>... args) {
  core::launch(kernel, ceil_div(n, pass_threads), pass_threads, 0, stream, args...);
}

template <class T>
__global__ void scatter_round(const core::Accumulator<T>* results, std::int64_t n_keys, T* out) {
  const std::int64_t k = pass_index(blockIdx.x, threadIdx.x);
  if (k < n_keys) out[k] = core::round_to<T>(results[k]);
}

template <class T>
void clear_results(const Stream& stream, const Results<T>& results) {
  core::clear(stream, results.all.data(), static_cast<std::int64_t>(results.all.size_bytes()));
}

/// Copies results to `out`; those of more than 16 bits are already there.
template <class T>
void round_results(const Stream& stream, const Results<T>& results, std::span<T> out) {
  if constexpr (!core::OwnAccumulator<T>)
    launch_pass(scatter_round<T>, stream, std::ssize(out), results.all.data(), std::ssize(out), out.data());
}

}  // namespace rafter::scatter_ladder::RAFTER_BACKEND
