// The sum of an array.
#pragma once

#include <cstdint>
#include <type_traits>

#include "rafter/device_span.hpp"
#include "rafter/export.hpp"
#include "rafter/half.hpp"
#include "rafter/stream.hpp"
#include "rafter/types.hpp"

namespace rafter::inline v1 {

using SumTypes = Types<float, double, Half, Bfloat16, std::int32_t, std::int64_t>;

/// The type of a sum of T: int64 for integers, else T.
template <class T>
using SumResult = std::conditional_t<std::is_integral_v<T>, std::int64_t, T>;

namespace detail {
template <class T>
struct RAFTER_API Sum {
  void operator()(const Stream& stream, DeviceSpan<const T> in, DeviceSpan<SumResult<T>> out) const;
};
}  // namespace detail

/// Writes the sum of `in` to `out`, which has one element; 0 for an empty `in`. The caller owns both, in memory of the
/// stream's device.
///
/// Deterministic: the order of additions depends on the number of elements and, on a GPU, on its number of
/// multiprocessors and the array's alignment to 16 bytes, never on timing. Equal inputs give equal bits every time; on
/// a CPU also for every number of threads and every instruction set. NaN and infinities propagate as in IEEE 754.
///
/// Error: at most (n / 65536 + 160) * eps * sum(|in|), usually far less: short runs are added in T, their sums in
/// double. 16-bit floats are added in float, so eps is float's, and the sum is rounded to 16 bits once, at the end. A
/// sum of Half beyond 65504 is infinity; larger intermediate sums do no harm.
///
/// Integers are added in 64 bits, so sums of int32 are exact. A sum beyond int64 wraps around.
///
/// One launch, no allocation, no synchronisation; may be captured in a CUDA graph. Throws Error (bad_argument) for a
/// null or misaligned pointer, or when `out` lies inside `in`.
inline constexpr OverloadsFor<detail::Sum, SumTypes> sum{};

}  // namespace rafter::inline v1
