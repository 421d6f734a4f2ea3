// Elementwise ops: products, conversions between element types, and evenly spaced numbers.
#pragma once

#include <cstdint>

#include "rafter/device_span.hpp"
#include "rafter/export.hpp"
#include "rafter/half.hpp"
#include "rafter/stream.hpp"
#include "rafter/types.hpp"

namespace rafter::inline v1 {

using ElementwiseTypes = Types<float, double, Half, Bfloat16, std::int32_t, std::int64_t>;

namespace detail {
template <class T>
struct RAFTER_API Multiply {
  void operator()(const Stream& stream, DeviceSpan<const T> a, DeviceSpan<const T> b, DeviceSpan<T> out) const;
};
template <class T>
struct RAFTER_API Scale {
  void operator()(const Stream& stream, DeviceSpan<const T> a, T factor, DeviceSpan<T> out) const;
};
template <class From, class To>
struct RAFTER_API Convert {
  void operator()(const Stream& stream, DeviceSpan<const From> in, DeviceSpan<To> out) const;
};
template <class T>
struct RAFTER_API Iota {
  void operator()(const Stream& stream, T start, T step, DeviceSpan<T> out) const;
};
}  // namespace detail

/// Writes a[i] * b[i], or a[i] * factor, to out[i]. All arrays have the same number of elements; the caller owns them,
/// in memory of the stream's device. `out` may be identical to an input; it must not overlap one otherwise.
///
/// Products of floats of any size are rounded once, to nearest, ties to even: the same bits on every device, except
/// those of a NaN. Integers wrap around like unsigned ones.
///
/// One launch, no allocation, no synchronisation; may be captured in a CUDA graph. Throws Error (bad_argument) when
/// sizes differ, arrays are null or misaligned, or `out` overlaps an input in part.
inline constexpr BothOverloads<OverloadsFor<detail::Multiply, ElementwiseTypes>,
                               OverloadsFor<detail::Scale, ElementwiseTypes>>
    multiply{};

/// Writes in[i], converted to the element type of `out`, to out[i]. Both arrays have the same number of elements; the
/// caller owns them, in memory of the stream's device. `out` may be identical to `in` if their elements have the same
/// size; it must not overlap it otherwise.
///
/// - A result that is a float is rounded once, to nearest, ties to even. Numbers out of range become infinity. A NaN
///   becomes the NaN with all bits set but the sign.
/// - A float becomes an integer by rounding towards zero. NaN becomes 0.
/// - A number out of the range of an integer type, or an infinity, becomes its least or greatest integer.
/// - If both types are the same, the bits are copied.
///
/// The results have the same bits on every device. One launch, no allocation, no synchronisation; may be captured in a
/// CUDA graph. Throws Error (bad_argument) when sizes differ, arrays are null or misaligned, or they overlap otherwise.
inline constexpr OverloadsFor<detail::Convert, ElementwiseTypes, ElementwiseTypes> convert{};

/// Writes start + i * step to out[i]. The caller owns `out`, in memory of the stream's device.
///
/// Floats are computed in double, fused, so that the sum is rounded once to double, and then rounded to their type.
/// Errors do not add up along the array. Indices below 2^53 are exact. Integers wrap around like unsigned ones. The
/// results have the same bits on every device, except those of a NaN.
///
/// One launch, no allocation, no synchronisation; may be captured in a CUDA graph. Throws Error (bad_argument) for a
/// null or misaligned array.
inline constexpr OverloadsFor<detail::Iota, ElementwiseTypes> iota{};

}  // namespace rafter::inline v1
