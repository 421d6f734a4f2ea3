// The product of two arrays plus a third.
#pragma once

#include <cstdint>
#include <span>

#include "rafter/half.hpp"
#include "rafter/stream.hpp"
#include "rafter/types.hpp"

namespace rafter {

using MulAddTypes = Types<float, double, Half, Bfloat16, std::int32_t, std::int64_t>;

namespace detail {
template <class T>
struct MulAdd {
  void operator()(const Stream& stream, std::span<const T> a, std::span<const T> b, std::span<const T> c,
                  std::span<T> out) const;
};
}  // namespace detail

/// Writes a[i] * b[i] + c[i] to out[i]; all four have the same number of elements and are the caller's, on the stream's
/// device. `out` may be the very same array as one or more of the inputs; it may not overlap one otherwise.
///
/// Floating point: rounded once (fused) where the hardware can, which every GPU and every 64-bit Arm can and an x86
/// with AVX2; otherwise the product is rounded, too. Floats of 16 bits are calculated with as floats, which hold their
/// products exactly, and the result is rounded to 16 bits: infinity if it is too large for them, whatever the product
/// was. Integers wrap around as unsigned ones do.
///
/// One launch, no allocation, no synchronisation; may be captured in a CUDA graph.
/// Throws Error (bad_argument) when sizes differ, arrays are null or misaligned, or `out` overlaps an input in part.
inline constexpr OverloadsFor<detail::MulAdd, MulAddTypes> mul_add{};

}  // namespace rafter
