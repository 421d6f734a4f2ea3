// Keeps the elements of an array that satisfy a comparison.
#pragma once

#include <cstdint>

#include "rafter/device_span.hpp"
#include "rafter/export.hpp"
#include "rafter/stream.hpp"
#include "rafter/types.hpp"

namespace rafter::inline v1 {

using FilterTypes = Types<float, double, std::int32_t, std::int64_t>;

enum class CompareOp { less, less_equal, greater, greater_equal, equal, not_equal };

/// The compared quantity: the element or its magnitude. The magnitude of the least integer does not overflow.
enum class CompareOperand { value, magnitude };

/// The condition for keeping an element: `operand op bound`. NaN follows IEEE 754: only not_equal holds for it.
template <class T>
struct Predicate {
  CompareOp op = CompareOp::less;
  T bound{};
  CompareOperand operand = CompareOperand::value;
};

/// The order of the elements that are kept.
enum class FilterOrder {
  preserved,
  any,  ///< faster on a GPU; the order varies from call to call
};

namespace detail {
template <class T>
struct RAFTER_API Filter {
  void operator()(const Stream& stream, DeviceSpan<const T> in, Predicate<T> keep, FilterOrder order, DeviceSpan<T> out,
                  DeviceSpan<std::int64_t> count) const;
};
}  // namespace detail

/// Writes the elements of `in` that satisfy `keep` to the front of `out` and their number to `count`, which has one
/// element. The caller owns all three, in memory of the stream's device; they must not overlap.
///
/// `out` may be shorter than `in`: elements that do not fit are counted, but not written. Elements of `out` past the
/// last one written are left unchanged. The count stays on the device. With FilterOrder::preserved the result is
/// deterministic.
///
/// No allocation, no synchronisation; may be captured in a CUDA graph. Throws Error (bad_argument) for a null or
/// misaligned pointer, or arrays that overlap.
inline constexpr OverloadsFor<detail::Filter, FilterTypes> filter{};

}  // namespace rafter::inline v1
