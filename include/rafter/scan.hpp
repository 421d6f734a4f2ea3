// Prefix sums of an array.
#pragma once

#include <cstdint>

#include "rafter/device_span.hpp"
#include "rafter/export.hpp"
#include "rafter/stream.hpp"
#include "rafter/types.hpp"

namespace rafter::inline v1 {

using ScanTypes = Types<float, double, std::int32_t, std::int64_t>;

namespace detail {
template <class T>
struct RAFTER_API InclusiveSum {
  void operator()(const Stream& stream, DeviceSpan<const T> in, DeviceSpan<T> out) const;
};
template <class T>
struct RAFTER_API ExclusiveSum {
  void operator()(const Stream& stream, DeviceSpan<const T> in, DeviceSpan<T> out) const;
};
}  // namespace detail

// Both functions write the prefix sums of `in` to `out`, an array of the same size. The caller owns both, in memory of
// the stream's device; `out` may be `in`.
//
// Integers wrap around. Deterministic: the order of additions depends on the number of elements and, on a GPU, on the
// array's alignment to 16 bytes, never on timing. Equal inputs give equal bits every time; on a CPU also for every
// number of threads. NaN and infinities propagate to all later sums.
//
// Error of out[i], with M = the sum of |in| up to i: at most 40 eps M in float32 for any number of elements (runs of
// 128 elements are added in float, their sums in double); at most (i / 1024 + 80) eps M in float64.
//
// No allocation, no synchronisation; may be captured in a CUDA graph. Both throw Error (bad_argument) for a null or
// misaligned pointer, sizes that differ, or arrays that overlap in part.

/// Inclusive: out[i] = in[0] + ... + in[i].
inline constexpr OverloadsFor<detail::InclusiveSum, ScanTypes> inclusive_sum{};

/// Exclusive: out[i] = in[0] + ... + in[i - 1], and out[0] = 0.
inline constexpr OverloadsFor<detail::ExclusiveSum, ScanTypes> exclusive_sum{};

}  // namespace rafter::inline v1
