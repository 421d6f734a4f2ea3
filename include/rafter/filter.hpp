// Keeps the elements of an array that satisfy a comparison.
#pragma once

#include <cstdint>
#include <span>

#include "rafter/stream.hpp"
#include "rafter/types.hpp"

namespace rafter {

using FilterTypes = Types<float, double, std::int32_t, std::int64_t>;

enum class CompareOp { less, less_equal, greater, greater_equal, equal, not_equal };

/// What of an element is compared: itself or its magnitude. The magnitude of the least integer is its true one.
enum class CompareOperand { value, magnitude };

/// Which elements to keep: those for which `operand op bound` holds. NaN is as IEEE 754 says: only not_equal holds for
/// it.
template <class T>
struct Predicate {
  CompareOp op = CompareOp::less;
  T bound{};
  CompareOperand operand = CompareOperand::value;
};

/// Whether the elements that are kept stay in the order they had.
enum class FilterOrder {
  preserved,
  any,  ///< faster on a GPU; which order it is changes from call to call
};

namespace detail {
template <class T>
struct Filter {
  void operator()(const Stream& stream, std::span<const T> in, Predicate<T> keep, FilterOrder order, std::span<T> out,
                  std::int64_t* count) const;
};
}  // namespace detail

/// Writes the elements of `in` that satisfy `keep` to the front of `out` and their number to `*count`. All three lie in
/// memory of the stream's device, owned by the caller, and do not overlap.
///
/// `out` may be shorter than `in`: what does not fit is counted, but not written. Elements of `out` past the last one
/// written are left alone. The count stays on the device, nobody waits for it. With FilterOrder::preserved the result
/// is the same every time.
///
/// No allocation, no synchronisation; may be captured in a CUDA graph.
/// Throws Error (bad_argument) for a null or misaligned pointer, or arrays that overlap.
inline constexpr OverloadsFor<detail::Filter, FilterTypes> filter{};

}  // namespace rafter
