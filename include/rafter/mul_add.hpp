// The product of two arrays plus a third.
#pragma once

#include <cstdint>
#include <span>

#include "rafter/stream.hpp"

namespace rafter {

/// Writes a[i] * b[i] + c[i] to out[i]; all four have the same number of elements and are the caller's, on the stream's
/// device. `out` may be the very same array as one or more of the inputs; it may not overlap one otherwise.
///
/// Floating point: rounded once (fused) where the hardware can, which every GPU and every 64-bit Arm can and an x86
/// with AVX2; otherwise the product is rounded, too. Integers wrap around as unsigned ones do.
///
/// One launch, no allocation, no synchronisation; may be captured in a CUDA graph.
/// Throws Error (bad_argument) when sizes differ, arrays are null or misaligned, or `out` overlaps an input in part.
void mul_add(const Stream& stream, std::span<const float> a, std::span<const float> b, std::span<const float> c,
             std::span<float> out);
void mul_add(const Stream& stream, std::span<const double> a, std::span<const double> b, std::span<const double> c,
             std::span<double> out);
void mul_add(const Stream& stream, std::span<const std::int32_t> a, std::span<const std::int32_t> b,
             std::span<const std::int32_t> c, std::span<std::int32_t> out);
void mul_add(const Stream& stream, std::span<const std::int64_t> a, std::span<const std::int64_t> b,
             std::span<const std::int64_t> c, std::span<std::int64_t> out);

}  // namespace rafter
