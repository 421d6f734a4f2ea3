// Arrays in memory of a stream's device, as a type of their own: an array of the host does not convert to one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace rafter::inline v1 {

template <class T>
class Buffer;

/// `size()` elements of T in memory of a device. Does not own them. Ops take their arrays as DeviceSpans, so that a
/// std::vector or another array of the host cannot be passed to a GPU by mistake. A Buffer converts to one; a raw
/// pointer has to be adopted.
///
/// Threads may share an object while none changes it.
template <class T>
class DeviceSpan {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;

  constexpr DeviceSpan() noexcept = default;

  /// Adopts `size` elements at `data` without a check. The caller guarantees that they are in memory that the device
  /// of every stream they are used on can access.
  [[nodiscard]] static constexpr DeviceSpan unchecked(T* data, std::int64_t size) noexcept { return {data, size}; }

  constexpr DeviceSpan(Buffer<value_type>& buffer) noexcept : data_(buffer.data()), size_(buffer.size()) {}
  constexpr DeviceSpan(const Buffer<value_type>& buffer) noexcept requires(std::is_const_v<T>)
      : data_(buffer.data()), size_(buffer.size()) {}
  /// Converts to a span of const elements.
  template <class U>
  requires(std::is_same_v<const U, T> && !std::is_const_v<U>) constexpr DeviceSpan(DeviceSpan<U> other) noexcept
      : data_(other.data()), size_(other.size()) {}

  [[nodiscard]] constexpr T* data() const noexcept { return data_; }
  [[nodiscard]] constexpr std::int64_t size() const noexcept { return size_; }
  [[nodiscard]] constexpr std::int64_t size_bytes() const noexcept {
    return size_ * static_cast<std::int64_t>(sizeof(T));
  }
  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }

  /// Returns `count` elements from `first` on, which must lie inside this span.
  [[nodiscard]] constexpr DeviceSpan subspan(std::int64_t first, std::int64_t count) const noexcept {
    return {data_ + first, count};
  }
  [[nodiscard]] constexpr DeviceSpan first(std::int64_t count) const noexcept { return {data_, count}; }
  [[nodiscard]] constexpr DeviceSpan last(std::int64_t count) const noexcept {
    return {data_ + (size_ - count), count};
  }

  /// Returns the elements as a std::span, for code that runs on their device.
  [[nodiscard]] constexpr std::span<T> elements() const noexcept { return {data_, static_cast<std::size_t>(size_)}; }

 private:
  constexpr DeviceSpan(T* data, std::int64_t size) noexcept : data_(data), size_(size) {}

  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

}  // namespace rafter::inline v1
