// Typed memory on a device.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "rafter/device_span.hpp"
#include "rafter/error.hpp"
#include "rafter/export.hpp"
#include "rafter/stream.hpp"

namespace rafter {

namespace detail {
RAFTER_API void* allocate(const Stream& stream, std::int64_t count, std::int64_t element_bytes);
RAFTER_API void deallocate(const Stream& stream, void* memory) noexcept;
RAFTER_API void copy_in(const Stream& stream, void* to, const void* host, std::int64_t bytes);
RAFTER_API void copy_out(const Stream& stream, void* host, const void* from, std::int64_t bytes);
RAFTER_API void require_same_size(std::int64_t expected, std::int64_t came);
}  // namespace detail

/// Owns `size()` uninitialised elements of T on a stream's device. The memory is 256-byte aligned and freed with the
/// buffer, in stream order. Movable, not copyable.
template <class T>
class Buffer {
 public:
  Buffer(const Stream& stream, std::int64_t size)
      : stream_(stream), data_(static_cast<T*>(detail::allocate(stream, size, sizeof(T)))), size_(size) {}
  Buffer(const Stream& stream, std::span<const T> host) : Buffer(stream, std::ssize(host)) { copy_from(host); }
  Buffer(Buffer&& other) noexcept
      : stream_(other.stream_), data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(stream_, other.stream_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Buffer() { detail::deallocate(stream_, data_); }

  const Stream& stream() const noexcept { return stream_; }
  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  std::int64_t size() const noexcept { return size_; }
  DeviceSpan<T> span() noexcept { return *this; }
  DeviceSpan<const T> span() const noexcept { return *this; }

  /// Copies all elements from host memory and waits for the copy. Throws Error (bad_argument) if the sizes differ.
  void copy_from(std::span<const T> host) {
    detail::require_same_size(size_, std::ssize(host));
    detail::copy_in(stream_, data_, host.data(), size_ * static_cast<std::int64_t>(sizeof(T)));
  }
  /// Copies all elements to host memory and waits for the copy. Throws Error (bad_argument) if the sizes differ.
  void copy_to(std::span<T> host) const {
    detail::require_same_size(size_, std::ssize(host));
    detail::copy_out(stream_, host.data(), data_, size_ * static_cast<std::int64_t>(sizeof(T)));
  }

 private:
  Stream stream_;
  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

}  // namespace rafter
