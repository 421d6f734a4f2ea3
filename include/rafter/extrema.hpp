// The least and the greatest element of an array, and their indices.
#pragma once

#include <cstdint>

#include "rafter/device_span.hpp"
#include "rafter/export.hpp"
#include "rafter/half.hpp"
#include "rafter/stream.hpp"
#include "rafter/types.hpp"

namespace rafter::inline v1 {

using ExtremaTypes = Types<float, double, Half, Bfloat16, std::int32_t, std::int64_t>;

namespace detail {
template <class T>
struct RAFTER_API Minimum {
  void operator()(const Stream& stream, DeviceSpan<const T> in, DeviceSpan<T> out) const;
};
template <class T>
struct RAFTER_API Maximum {
  void operator()(const Stream& stream, DeviceSpan<const T> in, DeviceSpan<T> out) const;
};
template <class T>
struct RAFTER_API Argmin {
  void operator()(const Stream& stream, DeviceSpan<const T> in, DeviceSpan<std::int64_t> index) const;
};
template <class T>
struct RAFTER_API Argmax {
  void operator()(const Stream& stream, DeviceSpan<const T> in, DeviceSpan<std::int64_t> index) const;
};
}  // namespace detail

/// Writes the least or the greatest element of `in` to `out`, an array of one element. The caller owns both, in memory
/// of the stream's device.
///
/// The order is that of IEEE 754's minimum and maximum: NaN propagates, and -0 is less than +0. If any element is NaN,
/// the result is a quiet NaN, whose bits do not depend on the input's.
///
/// The result does not depend on the order in which elements are compared: the same bits on every device. One launch,
/// no allocation, no synchronisation; may be captured in a CUDA graph. Throws Error (bad_argument) for an empty `in`,
/// which has no least element, an `out` of other than one element, a null or misaligned pointer, or when `out` lies
/// inside `in`.
inline constexpr OverloadsFor<detail::Minimum, ExtremaTypes> minimum{};
inline constexpr OverloadsFor<detail::Maximum, ExtremaTypes> maximum{};

/// Writes the index of the least or the greatest element of `in` to `index`, an array of one element: of equal ones the
/// first, and if any element is NaN, the first NaN. -0 is less than +0, as in minimum() and maximum(). (NumPy and
/// PyTorch return the first zero of either sign; everything else is as there.)
///
/// Otherwise like minimum() and maximum(): deterministic, one launch, and the same errors.
inline constexpr OverloadsFor<detail::Argmin, ExtremaTypes> argmin{};
inline constexpr OverloadsFor<detail::Argmax, ExtremaTypes> argmax{};

}  // namespace rafter::inline v1
