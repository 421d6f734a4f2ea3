// Sums that one block publishes and others wait for, in device memory.
//
// A state is two words that each carry half of a sum and say themselves whether they were written. Whoever sees both
// has the sum; nothing else is read because of it, so relaxed order is enough, and neither acquire, release, fences nor
// 16-byte atomics are needed.
#pragma once

#include "library/ptx/device_build.cuh"
#include "library/ptx/memory_order.cuh"

namespace rafter::core {
inline namespace RAFTER_BACKEND {

/// All zero until published. Each word has half of the sum's bits in its lower half, and 1 in the upper when written.
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

/// Whether a state that was loaded had been published.
__device__ inline bool is_published(const TileState& state) { return (state.x & state.y) >> 32 != 0; }

/// The sum that a state holds once it is published, waiting for that; `seen` is what it held before, if somebody
/// looked.
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
