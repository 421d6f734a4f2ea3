// Typed memory on a device.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "rafter/device_span.hpp"
#include "rafter/error.hpp"
#include "rafter/export.hpp"
#include "rafter/memory_resource.hpp"
#include "rafter/stream.hpp"

namespace rafter::inline v1 {

namespace detail {
/// Memory on a stream's device. Movable, not copyable.
class RAFTER_API Memory {
 public:
  Memory(const Stream& stream, std::int64_t count, std::int64_t element_bytes);
  Memory(Memory&& other) noexcept
      : stream_(other.stream_),
        from_(std::move(other.from_)),
        data_(std::exchange(other.data_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)) {}
  Memory& operator=(Memory&& other) noexcept {
    std::swap(stream_, other.stream_);
    std::swap(from_, other.from_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Memory() {
    if (data_ != nullptr) free();
  }

  [[nodiscard]] const Stream& stream() const noexcept { return stream_; }
  [[nodiscard]] void* data() const noexcept { return data_; }

 private:
  void free() noexcept;

  Stream stream_;
  std::shared_ptr<MemoryResource> from_;  // null: the device's own memory
  void* data_ = nullptr;
  std::int64_t bytes_ = 0;
};

RAFTER_API void copy_in(const Stream& stream, void* to, const void* host, std::int64_t bytes);
RAFTER_API void copy_out(const Stream& stream, void* host, const void* from, std::int64_t bytes);
RAFTER_API void require_same_size(std::int64_t expected, std::int64_t came);
}  // namespace detail

/// Owns `size()` uninitialised elements of T on a stream's device. The memory is 256-byte aligned. Movable, not
/// copyable.
///
/// The memory is that of the device itself (cudaMalloc) or comes from the MemoryResource of the host program, if the
/// stream has one. A constructor waits until the resource's memory is free for use on any stream of the device. The
/// destructor waits for all work on the device, as cudaFree does. The buffer keeps the resource alive and may outlive a
/// stream that it borrows. It is neither made nor destroyed during a capture.
///
/// Throws Error (bad_argument) for an impossible size, or a resource during a capture; (out_of_memory), also when the
/// resource returns null; and what the resource throws.
///
/// Threads may share an object while none changes it.
template <class T>
class Buffer {
 public:
  Buffer(const Stream& stream, std::int64_t size) : memory_(stream, size, sizeof(T)), size_(size) {}
  Buffer(const Stream& stream, std::span<const T> host) : Buffer(stream, std::ssize(host)) { copy_from(host); }
  Buffer(Buffer&& other) noexcept : memory_(std::move(other.memory_)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Buffer() = default;

  [[nodiscard]] const Stream& stream() const noexcept { return memory_.stream(); }
  [[nodiscard]] T* data() noexcept { return static_cast<T*>(memory_.data()); }
  [[nodiscard]] const T* data() const noexcept { return static_cast<const T*>(memory_.data()); }
  [[nodiscard]] std::int64_t size() const noexcept { return size_; }
  [[nodiscard]] DeviceSpan<T> span() noexcept { return *this; }
  [[nodiscard]] DeviceSpan<const T> span() const noexcept { return *this; }

  /// Copies all elements from host memory and waits for the copy. Throws Error (bad_argument) if the sizes differ.
  void copy_from(std::span<const T> host) {
    detail::require_same_size(size_, std::ssize(host));
    detail::copy_in(stream(), data(), host.data(), size_ * static_cast<std::int64_t>(sizeof(T)));
  }
  /// Copies all elements to host memory and waits for the copy. Throws Error (bad_argument) if the sizes differ.
  void copy_to(std::span<T> host) const {
    detail::require_same_size(size_, std::ssize(host));
    detail::copy_out(stream(), host.data(), data(), size_ * static_cast<std::int64_t>(sizeof(T)));
  }

 private:
  detail::Memory memory_;
  std::int64_t size_ = 0;
};

}  // namespace rafter::inline v1
