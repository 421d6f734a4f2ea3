// Keeps the elements of an array that satisfy a comparison.
#pragma once

#include <cstdint>
#include <span>

#include "rafter/stream.hpp"

namespace rafter {

enum class Compare { less, less_equal, greater, greater_equal, equal, not_equal };

/// What of an element is compared: itself or its magnitude. The magnitude of the least integer is its true one.
enum class Of { value, magnitude };

/// Which elements to keep: `of` the element `compare` bound. NaN is as IEEE 754 says: only not_equal holds for it.
template <class T>
struct Predicate {
  Compare compare = Compare::less;
  T bound{};
  Of of = Of::value;
};

/// Whether the kept elements stay in the order they had.
enum class Order {
  kept,
  any,  ///< faster on a GPU; which order it is changes from call to call
};

/// Writes the elements of `in` that satisfy `keep` to the front of `out` and their number to `*count`. All three lie in
/// memory of the stream's device, owned by the caller, and do not overlap.
///
/// `out` may be shorter than `in`: what does not fit is counted, but not written. Elements of `out` past the last one
/// written are left alone. The count stays on the device, nobody waits for it. With Order::kept the result is the same
/// every time.
///
/// No allocation, no synchronisation; may be captured in a CUDA graph.
/// Throws Error (bad_argument) for a null or misaligned pointer, or arrays that overlap.
void filter(const Stream& stream, std::span<const float> in, Predicate<float> keep, std::span<float> out,
            std::int64_t* count, Order order = Order::kept);
void filter(const Stream& stream, std::span<const double> in, Predicate<double> keep, std::span<double> out,
            std::int64_t* count, Order order = Order::kept);
void filter(const Stream& stream, std::span<const std::int32_t> in, Predicate<std::int32_t> keep,
            std::span<std::int32_t> out, std::int64_t* count, Order order = Order::kept);
void filter(const Stream& stream, std::span<const std::int64_t> in, Predicate<std::int64_t> keep,
            std::span<std::int64_t> out, std::int64_t* count, Order order = Order::kept);

}  // namespace rafter
