// The product of two arrays plus a third.
#pragma once

#include <cstdint>

#include "rafter/device_span.hpp"
#include "rafter/export.hpp"
#include "rafter/half.hpp"
#include "rafter/stream.hpp"
#include "rafter/types.hpp"

namespace rafter::inline v1 {

using MulAddTypes = Types<float, double, Half, Bfloat16, std::int32_t, std::int64_t>;

namespace detail {
template <class T>
struct RAFTER_API MulAdd {
  void operator()(const Stream& stream, DeviceSpan<const T> a, DeviceSpan<const T> b, DeviceSpan<const T> c,
                  DeviceSpan<T> out) const;
};
}  // namespace detail

/// Writes a[i] * b[i] + c[i] to out[i]. All four arrays have the same number of elements; the caller owns them, in
/// memory of the stream's device. `out` may be identical to one or more of the inputs; it must not overlap them
/// otherwise.
///
/// Floating point: rounded once (fused) where the hardware can: on every GPU, on 64-bit Arm and on x86 with AVX2.
/// Otherwise the product is rounded, too. 16-bit floats are computed in float, which holds their products exactly, and
/// the result is rounded to 16 bits: to infinity if it is out of range, whatever the product was. Integers wrap around
/// like unsigned ones.
///
/// One launch, no allocation, no synchronisation; may be captured in a CUDA graph. Throws Error (bad_argument) when
/// sizes differ, arrays are null or misaligned, or `out` overlaps an input in part.
inline constexpr OverloadsFor<detail::MulAdd, MulAddTypes> mul_add{};

}  // namespace rafter::inline v1
