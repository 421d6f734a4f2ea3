// Sets all elements of an array to one value.
#pragma once

#include <cstdint>

#include "rafter/device_span.hpp"
#include "rafter/export.hpp"
#include "rafter/half.hpp"
#include "rafter/stream.hpp"
#include "rafter/types.hpp"

namespace rafter::inline v1 {

using FillTypes = Types<float, double, Half, Bfloat16, std::int32_t, std::int64_t>;

namespace detail {
template <class T>
struct RAFTER_API Fill {
  void operator()(const Stream& stream, T value, DeviceSpan<T> out) const;
};
}  // namespace detail

/// Writes `value` to every element of `out`, which may be empty. The caller owns `out`, in memory of the stream's
/// device; `value` is read on the host during the call.
///
/// One launch, no allocation, no synchronisation. A CUDA graph may capture it and keeps the value. Throws Error
/// (bad_argument) when `out` is null or misaligned.
inline constexpr OverloadsFor<detail::Fill, FillTypes> fill{};

}  // namespace rafter::inline v1
