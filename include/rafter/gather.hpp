// Elements of a table, by index.
#pragma once

#include <cstdint>
#include <span>

#include "rafter/half.hpp"
#include "rafter/stream.hpp"
#include "rafter/types.hpp"

namespace rafter {

using GatherTypes = Types<float, double, Half, Bfloat16, std::int32_t, std::int64_t>;
using GatherIndexTypes = Types<std::int64_t, std::int32_t>;

/// What was wrong with the indices of a gather.
struct BadIndices {
  std::int64_t count;  ///< how many led outside of the table
  std::int64_t first;  ///< the smallest i of a bad indices[i]; -1 if there is none
};

/// What happens where an index is not in [0, size of the table); negative ones are not counted from the end.
class OutOfRange {
 public:
  enum class Kind { report, clamp, zero, trust };

  /// out[i] is left alone; `*bad`, in memory of the stream's device and owned by the caller, says how many were bad and
  /// which came first. Whatever it held before is overwritten.
  static OutOfRange report(BadIndices* bad) noexcept { return {Kind::report, bad}; }
  /// out[i] becomes the table's first element for a negative index, its last one for a large index.
  static OutOfRange clamp() noexcept { return {Kind::clamp, nullptr}; }
  /// out[i] becomes 0.
  static OutOfRange zero() noexcept { return {Kind::zero, nullptr}; }
  /// The caller knows that all indices are good: nothing is looked at, and a bad one is undefined behaviour.
  static OutOfRange trust() noexcept { return {Kind::trust, nullptr}; }

  Kind kind() const noexcept { return kind_; }
  BadIndices* bad() const noexcept { return bad_; }

 private:
  OutOfRange(Kind kind, BadIndices* bad) noexcept : kind_(kind), bad_(bad) {}
  Kind kind_;
  BadIndices* bad_;
};

namespace detail {
template <class T, class I>
struct Gather {
  void operator()(const Stream& stream, std::span<const T> table, std::span<const I> indices, OutOfRange out_of_range,
                  std::span<T> out) const;
};
}  // namespace detail

/// Writes out[i] = table[indices[i]]; `out_of_range` says what happens to indices outside of the table. `out` has as
/// many elements as `indices`. All three, and the BadIndices, lie in memory of the stream's device and belong to the
/// caller.
///
/// Elements are copied bit by bit. Deterministic, the reported numbers included.
///
/// One launch, no allocation, no synchronisation; may be captured in a CUDA graph.
/// Throws Error (bad_argument) when sizes differ, a pointer is null or misaligned, `out` overlaps an input, `report`
/// has nowhere to report to, or indices are to be clamped to an empty table.
inline constexpr OverloadsFor<detail::Gather, GatherTypes, GatherIndexTypes> gather{};

}  // namespace rafter
