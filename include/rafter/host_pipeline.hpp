// An op over items that lie in host memory: copies in, kernels and copies out side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "rafter/stream.hpp"

namespace rafter {

namespace detail {

void* allocate_pinned(const Stream& stream, std::int64_t count, std::int64_t element_bytes);
void deallocate_pinned(const Stream& stream, void* memory) noexcept;

/// HostPipeline in bytes.
class BytePipeline {
 public:
  struct Shape {
    std::int64_t in_bytes, out_bytes;  // of an item
    std::int64_t items;                // of a piece
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
  std::unique_ptr<Pieces> pieces_;  // none on the CPU
};

}  // namespace detail

/// `size()` elements of T in host memory, page-locked where the stream's device is a GPU, so that copies to and from it
/// need nobody's help. Uninitialised; movable only.
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

  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  std::int64_t size() const noexcept { return size_; }
  std::span<T> span() noexcept { return {data_, static_cast<std::size_t>(size_)}; }
  std::span<const T> span() const noexcept { return {data_, static_cast<std::size_t>(size_)}; }

 private:
  Stream stream_;
  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

struct HostPipelineShape {
  std::int64_t in_elements = 1;   ///< of an item
  std::int64_t out_elements = 1;  ///< of an item
  std::int64_t items = 1024;      ///< of a piece
};

/// Runs an op on items in host memory, piece by piece: while the stream's device works on one, the next is copied to it
/// and the one before it back, each on a stream of its own. Made once; holds memory for three pieces on the device.
///
/// Arrays in page-locked memory (PinnedBuffer, cudaHostRegister) are copied as they are; pieces of others pass through
/// page-locked memory of the pipeline's own, which the host's threads fill and empty in the meantime.
///
/// On the CPU there is nothing to copy: the op gets the arrays themselves, all items at once.
template <class In, class Out>
class HostPipeline {
 public:
  static_assert(std::is_trivially_copyable_v<In> && std::is_trivially_copyable_v<Out>);

  /// Throws Error (bad_argument) for a number that is not positive, (out_of_memory).
  HostPipeline(const Stream& stream, const HostPipelineShape& shape)
      : shape_(shape),
        bytes_(stream, {shape.in_elements * static_cast<std::int64_t>(sizeof(In)),
                        shape.out_elements * static_cast<std::int64_t>(sizeof(Out)), shape.items}) {}

  /// `op(in, out)` enqueues on the stream what makes the outputs of a piece from its inputs, both on the device and
  /// 256-byte aligned; it may be called many times. The result is as if it had been called once with everything, if
  /// items have nothing to do with each other. Returns when all outputs are in `out`.
  /// Throws Error (bad_argument) when sizes do not fit, and what `op` throws; nothing is under way then any more.
  template <class Op>
  void run(std::span<const In> in, std::span<Out> out, const Op& op) {
    bytes_.run(std::as_bytes(in), std::as_writable_bytes(out),
               [&](const std::byte* piece, std::byte* result, std::int64_t n) {
                 op(std::span(reinterpret_cast<const In*>(piece), static_cast<std::size_t>(n * shape_.in_elements)),
                    std::span(reinterpret_cast<Out*>(result), static_cast<std::size_t>(n * shape_.out_elements)));
               });
  }

 private:
  HostPipelineShape shape_;
  detail::BytePipeline bytes_;
};

}  // namespace rafter
