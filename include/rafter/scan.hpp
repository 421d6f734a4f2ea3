// Running sums of an array.
#pragma once

#include <cstdint>
#include <span>

#include "rafter/stream.hpp"
#include "rafter/types.hpp"

namespace rafter {

using ScanTypes = Types<float, double, std::int32_t, std::int64_t>;

namespace detail {
template <class T>
struct InclusiveSum {
  void operator()(const Stream& stream, std::span<const T> in, std::span<T> out) const;
};
template <class T>
struct ExclusiveSum {
  void operator()(const Stream& stream, std::span<const T> in, std::span<T> out) const;
};
}  // namespace detail

// Both write the running sums of `in` to `out`, which has as many elements. Both lie in memory of the stream's device,
// owned by the caller; `out` may be `in`.
//
// Integers wrap. Deterministic: what is added to what depends on the number of elements and, on a GPU, on the array's
// alignment to 16 bytes, never on timing. Equal inputs give equal bits every time; on a CPU with any number of threads
// too. NaN and infinities propagate to all later sums.
//
// Error of out[i], with M = the sum of |in| up to i: at most 40 eps M in float32, whatever the number of elements (runs
// of 128 elements are added in float, their sums in double); at most (i / 1024 + 80) eps M in float64.
//
// No allocation, no synchronisation; may be captured in a CUDA graph.
// They throw Error (bad_argument) for a null or misaligned pointer, sizes that differ, or arrays that overlap in part.

/// out[i] = in[0] + ... + in[i]
inline constexpr OverloadsFor<detail::InclusiveSum, ScanTypes> inclusive_sum{};

/// out[i] = in[0] + ... + in[i - 1], and out[0] = 0
inline constexpr OverloadsFor<detail::ExclusiveSum, ScanTypes> exclusive_sum{};

}  // namespace rafter
