// Arrays in memory of a stream's device, as a type of their own: an array of the host does not convert to one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "rafter/export.hpp"

namespace rafter::inline v1 {

class Stream;

template <class T>
class Buffer;

/// `size()` elements of T in memory of a device. Does not own them. Ops take their arrays as DeviceSpans, so that a
/// std::vector or another array of the host cannot be passed to a GPU by mistake. A Buffer converts to one;
/// device_span() adopts raw memory.
template <class T>
class DeviceSpan {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;

  constexpr DeviceSpan() noexcept = default;

  /// Adopts `size` elements at `data` without a check. The caller guarantees that they are in memory that the device
  /// of every stream they are used on can access.
  [[nodiscard]] static constexpr DeviceSpan unchecked(T* data, std::int64_t size) noexcept { return {data, size}; }

  /// Adopts the elements of `array` without a check.
  static constexpr DeviceSpan unchecked(std::span<T> array) noexcept {
    return {array.data(), static_cast<std::int64_t>(array.size())};
  }

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

  /// Returns the bytes of the elements.
  constexpr auto bytes() const noexcept {
    using Byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;
    return DeviceSpan<Byte>::unchecked(reinterpret_cast<Byte*>(data_), size_bytes());
  }

  /// Returns the elements as a std::span, for code that runs on their device.
  [[nodiscard]] constexpr std::span<T> elements() const noexcept { return {data_, static_cast<std::size_t>(size_)}; }

 private:
  constexpr DeviceSpan(T* data, std::int64_t size) noexcept : data_(data), size_(size) {}

  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

template <class T>
DeviceSpan(Buffer<T>&) -> DeviceSpan<T>;
template <class T>
DeviceSpan(const Buffer<T>&) -> DeviceSpan<const T>;

namespace detail {
/// Throws Error (bad_argument) unless the array can be used by ops on the stream.
RAFTER_API void require_device_array(const Stream& stream, const void* data, std::int64_t size,
                                     std::int64_t element_bytes, std::int64_t alignment);
}  // namespace detail

/// Adopts `size` elements at `data`, memory that Rafter did not allocate. Throws Error (bad_argument) unless the memory
/// is not null, aligned to T, and accessible from the stream's device. For a GPU that is memory of this GPU or of a
/// peer, managed memory, and page-locked host memory; other host memory only if the GPU can access all of it. For a CPU
/// it is everything but memory of a GPU. Its first and its last byte are checked. The caller keeps ownership.
template <class T>
DeviceSpan<T> device_span(const Stream& stream, T* data, std::int64_t size) {
  detail::require_device_array(stream, data, size, sizeof(T), alignof(T));
  return DeviceSpan<T>::unchecked(data, size);
}

/// Adopts a std::span, or a std::vector or std::array of the caller.
template <class T>
DeviceSpan<T> device_span(const Stream& stream, std::span<T> array) {
  return device_span(stream, array.data(), static_cast<std::int64_t>(array.size()));
}
template <class Array>
requires requires(Array& array) { std::span(array); }
auto device_span(const Stream& stream, Array& array) { return device_span(stream, std::span(array)); }

}  // namespace rafter::inline v1
