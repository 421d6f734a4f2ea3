// Filters by one column what belongs to its elements: their indices, or the elements of other columns.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>

#include "rafter/buffer.hpp"
#include "rafter/device_span.hpp"
#include "rafter/export.hpp"
#include "rafter/filter.hpp"
#include "rafter/stream.hpp"
#include "rafter/types.hpp"

namespace rafter::inline v1 {

using FilterIndexTypes = Types<std::int64_t, std::int32_t>;

/// A column to be filtered, and where its kept elements go. Elements have 2, 4 or 8 bytes and are copied as they are.
class FilterColumn {
 public:
  template <class In, class T>
  requires(std::same_as<std::remove_const_t<In>, T>) FilterColumn(DeviceSpan<In> in, DeviceSpan<T> out)
  noexcept
      : in_(in.data()),
        out_(out.data()),
        in_size_(in.size()),
        out_size_(out.size()),
        element_bytes_(static_cast<int>(sizeof(T))) {
    static_assert(std::is_trivially_copyable_v<T> && (sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8));
  }
  template <class T>
  FilterColumn(const Buffer<T>& in, Buffer<T>& out) noexcept
      : FilterColumn(DeviceSpan<const T>(in), DeviceSpan<T>(out)) {}

  const void* in() const noexcept { return in_; }
  void* out() const noexcept { return out_; }
  std::int64_t in_size() const noexcept { return in_size_; }
  std::int64_t out_size() const noexcept { return out_size_; }
  int element_bytes() const noexcept { return element_bytes_; }

 private:
  const void* in_;
  void* out_;
  std::int64_t in_size_, out_size_;
  int element_bytes_;
};

/// The most columns of one call of filter_columns.
inline constexpr int max_filter_columns = 8;

namespace detail {
template <class T, class Index>
struct RAFTER_API FilterIndices {
  void operator()(const Stream& stream, DeviceSpan<const T> in, Predicate<T> keep, FilterOrder order,
                  DeviceSpan<Index> indices, DeviceSpan<std::int64_t> count) const;
};
template <class T>
struct RAFTER_API FilterColumns {
  void operator()(const Stream& stream, DeviceSpan<const T> key, Predicate<T> keep, FilterOrder order,
                  std::span<const FilterColumn> columns, DeviceSpan<std::int64_t> count) const;
};
}  // namespace detail

/// Writes the indices of the elements of `in` that satisfy `keep` to the front of `indices` and their number to
/// `count`, an array of one element. The caller owns all three, in memory of the stream's device; they must not
/// overlap.
///
/// `indices` may be shorter than `in`: indices that do not fit are counted, but not written. Elements of `indices` past
/// the last one written are left unchanged. The count stays on the device. With FilterOrder::preserved the indices
/// ascend, and the result is deterministic.
///
/// No allocation, no synchronisation; may be captured in a CUDA graph. Throws Error (bad_argument) for a null or
/// misaligned pointer, a count of other than one element, arrays that overlap, or 32-bit indices of more than 2^31
/// elements.
inline constexpr OverloadsFor<detail::FilterIndices, FilterTypes, FilterIndexTypes> filter_indices{};

/// Writes, for each of `columns`, the elements whose key satisfies `keep` to the front of its output, all in the same
/// order, and their number to `count`, an array of one element. One pass over the keys: of the columns only elements
/// that are kept are read. A column may be `key` itself. Without columns the op counts.
///
///   const FilterColumn columns[] = {{prices, kept_prices}, {days, kept_days}};
///   filter_columns(stream, prices, {CompareOp::greater, 100.f}, FilterOrder::preserved, columns, count);
///
/// Every column has as many elements as `key`. The outputs have the same size as each other, which may be less than
/// that of `key`: elements that do not fit are counted, but not written. Elements past the last one written are left
/// unchanged. The caller owns all arrays, in memory of the stream's device; outputs must not overlap each other or an
/// input. `columns` is read on the host during the call. With FilterOrder::preserved the result is deterministic.
///
/// No allocation, no synchronisation; may be captured in a CUDA graph. Throws Error (bad_argument) for a null or
/// misaligned pointer, sizes that differ, a count of other than one element, arrays that overlap, or more than
/// max_filter_columns columns.
inline constexpr OverloadsFor<detail::FilterColumns, FilterTypes> filter_columns{};

}  // namespace rafter::inline v1
