// Applies an op to items in host memory, with copies in, kernels and copies out overlapped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "rafter/device_span.hpp"
#include "rafter/export.hpp"
#include "rafter/stream.hpp"

namespace rafter::inline v1 {

namespace detail {

RAFTER_API void* allocate_pinned(const Stream& stream, std::int64_t count, std::int64_t element_bytes);
RAFTER_API void deallocate_pinned(const Stream& stream, void* memory) noexcept;

/// The untyped implementation of HostPipeline.
class RAFTER_API BytePipeline {
 public:
  struct Shape {
    std::int64_t in_bytes, out_bytes;  // per item
    std::int64_t items;                // per chunk
  };
  using Op = std::function<void(const std::byte* in, std::byte* out, std::int64_t n_items)>;

  BytePipeline(const Stream& stream, const Shape& shape);
  ~BytePipeline();
  BytePipeline(BytePipeline&&) noexcept;
  void run(std::span<const std::byte> in, std::span<std::byte> out, const Op& op);

 private:
  class Pieces;
  Stream stream_;
  Shape shape_;
  std::unique_ptr<Pieces> pieces_;  // null on the CPU
};

}  // namespace detail

/// Owns `size()` uninitialised elements of T in host memory, page-locked if the stream's device is a GPU, so that the
/// GPU's copy engines access it directly. Movable, not copyable.
///
/// Threads may share an object while none changes it.
template <class T>
class PinnedBuffer {
 public:
  static_assert(std::is_trivially_copyable_v<T>);
  PinnedBuffer(const Stream& stream, std::int64_t size)
      : stream_(stream), data_(static_cast<T*>(detail::allocate_pinned(stream, size, sizeof(T)))), size_(size) {}
  PinnedBuffer(PinnedBuffer&& other) noexcept
      : stream_(other.stream_), data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
    std::swap(stream_, other.stream_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~PinnedBuffer() { detail::deallocate_pinned(stream_, data_); }

  [[nodiscard]] T* data() noexcept { return data_; }
  [[nodiscard]] const T* data() const noexcept { return data_; }
  [[nodiscard]] std::int64_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<T> span() noexcept { return {data_, static_cast<std::size_t>(size_)}; }
  [[nodiscard]] std::span<const T> span() const noexcept { return {data_, static_cast<std::size_t>(size_)}; }

 private:
  Stream stream_;
  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

struct HostPipelineShape {
  std::int64_t in_elements = 1;   ///< elements per item
  std::int64_t out_elements = 1;  ///< elements per item
  std::int64_t items = 1024;      ///< items per chunk
};

/// Runs an op on items in host memory, chunk by chunk. While the stream's device processes one chunk, the next is
/// copied to it and the previous one back, each on a separate stream. Holds device memory for three chunks.
///
/// Arrays in page-locked memory (PinnedBuffer, cudaHostRegister) are copied directly. Other arrays are staged through
/// page-locked memory of the pipeline, which the host's threads fill and drain concurrently.
///
/// On the CPU nothing is copied: the op receives the arrays themselves, all items at once.
///
/// Only one thread at a time may use an object.
template <class In, class Out>
class HostPipeline {
 public:
  static_assert(std::is_trivially_copyable_v<In> && std::is_trivially_copyable_v<Out>);

  /// Throws Error (bad_argument) for a number that is not positive, (out_of_memory).
  HostPipeline(const Stream& stream, const HostPipelineShape& shape)
      : shape_(shape),
        bytes_(stream, {shape.in_elements * static_cast<std::int64_t>(sizeof(In)),
                        shape.out_elements * static_cast<std::int64_t>(sizeof(Out)), shape.items}) {}

  /// Applies `op` to all items and returns when all outputs are in `out`. `op(in, out)` must enqueue on the stream the
  /// work that computes the outputs of a chunk from its inputs; both DeviceSpans are on the device and 256-byte
  /// aligned. It may be called many times. Items must be independent of each other, so that the result does not depend
  /// on the chunks. Throws Error (bad_argument) when sizes do not fit, and whatever `op` throws; no work is in flight
  /// then.
  template <class Op>
  void run(std::span<const In> in, std::span<Out> out, const Op& op) {
    bytes_.run(std::as_bytes(in), std::as_writable_bytes(out),
               [&](const std::byte* piece, std::byte* result, std::int64_t n) {
                 op(DeviceSpan<const In>::unchecked(reinterpret_cast<const In*>(piece), n * shape_.in_elements),
                    DeviceSpan<Out>::unchecked(reinterpret_cast<Out*>(result), n * shape_.out_elements));
               });
  }

 private:
  HostPipelineShape shape_;
  detail::BytePipeline bytes_;
};

}  // namespace rafter::inline v1
