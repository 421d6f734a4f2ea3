// Sums in device memory that one block publishes and others wait for.
//
// A state is two words; each carries half of a sum and a flag that it was written. A thread that sees both flags has
// the sum. No other data depend on the flags, so relaxed order suffices: no acquire, release, fence or 16-byte atomic
// is needed.
#pragma once

#include "library/ptx/device_build.cuh"
#include "library/ptx/memory_order.cuh"

namespace rafter::core {
inline namespace RAFTER_BACKEND {

/// A state; zero until published. Each word has half of the sum's bits in its lower half, and 1 in its upper half when
/// written.
using TileState = ulonglong2;

__device__ inline unsigned long long sum_bits(double sum) {
  return static_cast<unsigned long long>(__double_as_longlong(sum));
}
__device__ inline unsigned long long sum_bits(unsigned long long sum) { return sum; }
template <class Sum>
__device__ Sum sum_of_bits(unsigned long long bits);
template <>
__device__ inline double sum_of_bits<double>(unsigned long long bits) {
  return __longlong_as_double(static_cast<long long>(bits));
}
template <>
__device__ inline unsigned long long sum_of_bits<unsigned long long>(unsigned long long bits) {
  return bits;
}

template <class Sum>
__device__ void publish(TileState* at, Sum sum) {
  constexpr unsigned long long written = 1ull << 32;
  const unsigned long long bits = sum_bits(sum);
  ptx::store_relaxed(at, {written | (bits & 0xffffffffu), written | bits >> 32});
}

/// Returns whether a loaded state was published.
__device__ inline bool is_published(const TileState& state) { return (state.x & state.y) >> 32 != 0; }

/// Waits until a state is published and returns its sum; `seen` is the result of an earlier load, if any.
template <class Sum>
__device__ Sum wait_for_sum(const TileState* state, TileState seen = {}) {
  while (!is_published(seen)) {
#ifdef RAFTER_SIMT
    __nanosleep(1);  // lets other blocks run
#endif
    seen = ptx::load_relaxed(state);
  }
  return sum_of_bits<Sum>(seen.y << 32 | (seen.x & 0xffffffffu));
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::core
