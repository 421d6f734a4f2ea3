// Sets all elements of an array to one value.
#pragma once

#include <cstdint>
#include <span>

#include "rafter/half.hpp"
#include "rafter/stream.hpp"
#include "rafter/types.hpp"

namespace rafter {

using FillTypes = Types<float, double, Half, Bfloat16, std::int32_t, std::int64_t>;

namespace detail {
template <class T>
struct Fill {
  void operator()(const Stream& stream, T value, std::span<T> out) const;
};
}  // namespace detail

/// Writes `value` to every element of `out`; nothing where there are none. The memory is the caller's, on the stream's
/// device; `value` is taken from the host at the call.
///
/// One launch, no allocation, no synchronisation; may be captured in a CUDA graph, which keeps the value.
/// Throws Error (bad_argument) when `out` is null or misaligned.
inline constexpr OverloadsFor<detail::Fill, FillTypes> fill{};

}  // namespace rafter
