// Gathers elements of a table by index.
#pragma once

#include <cstdint>

#include "rafter/device_span.hpp"
#include "rafter/export.hpp"
#include "rafter/half.hpp"
#include "rafter/stream.hpp"
#include "rafter/types.hpp"

namespace rafter::inline v1 {

using GatherTypes = Types<float, double, Half, Bfloat16, std::int32_t, std::int64_t>;
using GatherIndexTypes = Types<std::int64_t, std::int32_t>;

/// A report of the out-of-range indices of a gather.
struct BadIndices {
  std::int64_t count;  ///< the number of indices outside of the table
  std::int64_t first;  ///< the smallest i whose indices[i] is out of range; -1 if all are in range
};

/// The treatment of indices outside of [0, size of the table). Negative indices do not count from the end.
///
/// Threads may share an object while none changes it.
class OutOfRange {
 public:
  enum class Kind { report, clamp, zero, trust };

  /// out[i] is left unchanged. `bad`, one element in memory of the stream's device and owned by the caller, receives
  /// the number of bad indices and the position of the first; its previous contents are overwritten.
  [[nodiscard]] static OutOfRange report(DeviceSpan<BadIndices> bad) noexcept {
    return {Kind::report, bad.size() == 1 ? bad.data() : nullptr};
  }
  /// out[i] becomes the table's first element for a negative index, its last element for an index that is too large.
  [[nodiscard]] static OutOfRange clamp() noexcept { return {Kind::clamp, nullptr}; }
  /// out[i] becomes 0.
  [[nodiscard]] static OutOfRange zero() noexcept { return {Kind::zero, nullptr}; }
  /// The caller guarantees that all indices are in range. They are not checked; an index out of range is undefined
  /// behaviour.
  [[nodiscard]] static OutOfRange trust() noexcept { return {Kind::trust, nullptr}; }

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  [[nodiscard]] BadIndices* bad() const noexcept { return bad_; }

 private:
  OutOfRange(Kind kind, BadIndices* bad) noexcept : kind_(kind), bad_(bad) {}
  Kind kind_;
  BadIndices* bad_;
};

namespace detail {
template <class T, class I>
struct RAFTER_API Gather {
  void operator()(const Stream& stream, DeviceSpan<const T> table, DeviceSpan<const I> indices, OutOfRange out_of_range,
                  DeviceSpan<T> out) const;
};
}  // namespace detail

/// Writes out[i] = table[indices[i]]. `out_of_range` determines the treatment of indices outside of the table. `out`
/// has as many elements as `indices`. The caller owns all three and the BadIndices, in memory of the stream's device.
///
/// Elements are copied bit by bit. Deterministic, including the reported numbers.
///
/// One launch, no allocation, no synchronisation; may be captured in a CUDA graph. Throws Error (bad_argument) when
/// sizes differ, a pointer is null or misaligned, `out` overlaps an input, `report` has a null pointer, or indices are
/// to be clamped to an empty table.
inline constexpr OverloadsFor<detail::Gather, GatherTypes, GatherIndexTypes> gather{};

}  // namespace rafter::inline v1
