// Sets all elements of an array to one value.
#pragma once

#include <cstdint>
#include <span>

#include "rafter/stream.hpp"

namespace rafter {

/// Writes `value` to every element of `out`; nothing where there are none. The memory is the caller's, on the stream's
/// device; `value` is taken from the host at the call.
///
/// One launch, no allocation, no synchronisation; may be captured in a CUDA graph, which keeps the value.
/// Throws Error (bad_argument) when `out` is null or misaligned.
void fill(const Stream& stream, std::span<float> out, float value);
void fill(const Stream& stream, std::span<double> out, double value);
void fill(const Stream& stream, std::span<std::int32_t> out, std::int32_t value);
void fill(const Stream& stream, std::span<std::int64_t> out, std::int64_t value);

}  // namespace rafter
