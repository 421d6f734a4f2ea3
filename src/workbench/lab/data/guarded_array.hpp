// An array in device memory between two guard zones that must not be written.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "library/core/parts.hpp"
#include "library/core/stream/backend.hpp"
#include "rafter/buffer.hpp"
#include "workbench/lab/data/checksum.hpp"
#include "workbench/lab/data/comparator.hpp"
#include "workbench/lab/data/random_bits.hpp"

namespace rafter::lab {

/// An array of `size` elements that begins `offset` elements past a 256-byte boundary.
template <class T>
class GuardedArray {
 public:
  GuardedArray(const Stream& stream, std::int64_t size, std::int64_t offset = 0)
      : stream_(stream),
        memory_(stream, guard_elements + offset + size + guard_elements),
        offset_(offset),
        size_(size) {
    write_guards();
  }

  const Stream& stream() const noexcept { return stream_; }
  T* data() noexcept { return memory_.data() + guard_elements + offset_; }
  const T* data() const noexcept { return memory_.data() + guard_elements + offset_; }
  std::int64_t size() const noexcept { return size_; }
  std::span<T> span() noexcept { return {data(), static_cast<std::size_t>(size_)}; }
  std::span<const T> span() const noexcept { return {data(), static_cast<std::size_t>(size_)}; }

  /// Calls `make(first, part)` for consecutive parts; the contents of `part` after the call become those of the array.
  void write(const std::function<void(std::int64_t, std::span<T>)>& make) {
    for_parts([&](std::int64_t first, std::span<T> part) {
      make(first, part);
      if (!is_host()) detail::copy_in(stream_, data() + first, part.data(), bytes(std::ssize(part)));
    });
  }

  /// Calls `look(first, part)` for consecutive parts of the array.
  void read(const std::function<void(std::int64_t, std::span<const T>)>& look) const {
    const_cast<GuardedArray*>(this)->for_parts([&](std::int64_t first, std::span<T> part) {
      if (!is_host()) detail::copy_out(stream_, part.data(), data() + first, bytes(std::ssize(part)));
      look(first, part);
    });
  }

  /// Overwrites all elements with a NaN that no kernel produces, and restores the guard zones. A kernel must not read
  /// the elements before it, or write(), has written them.
  void poison() {
    write_guards();
    if (size_ == 0) return;
    if (!is_host()) {
      core::Backend& device = core::backend(stream_.device());
      device.fill_bytes(stream_.handle(), data(), 0xff, bytes(size_));
      return device.forget_output(data(), bytes(size_));
    }
    T* const elements = data();
    core::for_each_index(core::default_threads(), size_, [&](std::int64_t i) { elements[i] = pattern(); });
  }

  /// Overwrites all elements with random bits, so that a kernel cannot see that its call is checked.
  void scramble(std::uint64_t seed) {
    if (stream_.device() == Device::simt) return poison();  // its kernels are not timed
    fill_with_random_bits(stream_, data(), bytes(size_), seed);
  }

  /// Returns the elements in host memory: in place, or in a copy that the next call overwrites.
  std::span<const T> on_host() const {
    if (is_host() || size_ == 0) return span();
    core::Backend& device = core::backend(stream_.device());
    if (!copy_)
      copy_ = {device.allocate_host(bytes(size_)), [&device](void* memory) { device.deallocate_host(memory); }};
    detail::copy_out(stream_, copy_.get(), data(), bytes(size_));
    return {static_cast<const T*>(copy_.get()), static_cast<std::size_t>(size_)};
  }

  /// Returns the elements in the memory where loops over them run (parallel.hpp).
  const T* loop_data() const { return loop_stream(stream_).device() == stream_.device() ? data() : on_host().data(); }

  /// Compares the elements with `expected(index)` (comparator.hpp), on the GPU if `expected` was compiled for it.
  template <class Expected>
  Comparison compare_with(const Expected& expected) const {
    if constexpr (DeviceFunction<Expected>) {
      return compare_elements(loop_stream(stream_), loop_data(), size_, expected);
    } else {
      return compare_elements(on_host(), expected);
    }
  }

  /// Whether the array is an argument of the next launch; if not, the launch must not access it.
  void set_argument(bool is_argument) {
    core::backend(stream_.device()).set_argument(data(), bytes(size_), is_argument);
  }

  /// Returns a checksum that changes when an element does.
  std::uint64_t checksum() const { return lab::checksum(stream_, data(), bytes(size_)); }

  /// Returns nullopt if the guard zones are intact, otherwise a sentence.
  std::optional<std::string> damage() const {
    if (!intact(memory_.data(), guard_elements + offset_)) return "memory before the array was written";
    if (!intact(data() + size_, guard_elements)) return "memory past the end of the array was written";
    return std::nullopt;
  }

 private:
  static constexpr std::int64_t guard_elements = 256;
  static constexpr std::int64_t part_elements = std::int64_t{1} << 22;

  static T pattern() {
    T value;
    std::memset(&value, 0xff, sizeof value);  // a NaN with all bits set
    return value;
  }
  static std::int64_t bytes(std::int64_t n) { return n * static_cast<std::int64_t>(sizeof(T)); }
  bool is_host() const { return stream_.device() == Device::cpu; }

  void write_guards() {
    const std::vector<T> zone(static_cast<std::size_t>(guard_elements + offset_), pattern());
    detail::copy_in(stream_, memory_.data(), zone.data(), bytes(guard_elements + offset_));
    detail::copy_in(stream_, data() + size_, zone.data(), bytes(guard_elements));
    core::Backend& device = core::backend(stream_.device());
    device.forbid(memory_.data(), bytes(guard_elements + offset_));
    device.forbid(data() + size_, bytes(guard_elements));
  }

  bool intact(const T* zone, std::int64_t n) const {
    std::vector<T> now(static_cast<std::size_t>(n));
    const std::vector<T> then(static_cast<std::size_t>(n), pattern());
    detail::copy_out(stream_, now.data(), zone, bytes(n));
    return std::memcmp(now.data(), then.data(), static_cast<std::size_t>(bytes(n))) == 0;
  }

  // Works on host memory in place, and on device memory through a pinned staging buffer.
  void for_parts(const std::function<void(std::int64_t, std::span<T>)>& work) {
    if (is_host()) {
      if (size_ > 0) work(0, span());
      return;
    }
    core::Backend& device = core::backend(stream_.device());
    const std::unique_ptr<void, std::function<void(void*)>> staging(
        device.allocate_host(bytes(std::min(size_, part_elements))),
        [&device](void* memory) { device.deallocate_host(memory); });
    for (std::int64_t first = 0; first < size_; first += part_elements) {
      work(first, {static_cast<T*>(staging.get()), static_cast<std::size_t>(std::min(part_elements, size_ - first))});
    }
  }

  Stream stream_;
  Buffer<T> memory_;
  std::int64_t offset_;
  std::int64_t size_;
  mutable std::shared_ptr<void> copy_{};  // [size_] in host memory, allocated on first use
};

}  // namespace rafter::lab
