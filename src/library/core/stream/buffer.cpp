#include "rafter/buffer.hpp"

#include <limits>
#include <string>

#include "library/core/error_origin.hpp"
#include "library/core/stream/backend.hpp"
#include "library/core/stream/op_scope.hpp"
#include "library/core/stream/stream_state.hpp"

namespace rafter::inline v1::detail {

namespace {

void* allocate_from(MemoryResource& resource, core::Backend& backend, const Stream& stream, std::int64_t bytes) {
  if (backend.is_capturing(stream.handle())) {
    throw Error(ErrorCode::bad_argument,
                "Buffer: the stream is being captured; take memory from a resource before the capture", "Buffer",
                "stream");
  }
  // The stream may end before the buffer and must not be named to the resource; the legacy default stream always
  // exists.
  CUstream_st* const legacy = nullptr;
  void* const data = resource.allocate(bytes, legacy);
  if (data == nullptr) {
    throw Error(ErrorCode::out_of_memory, "Buffer: the memory resource returned null for " + std::to_string(bytes) +
                                              " bytes; it must return memory or throw");
  }
  try {
    backend.synchronize(legacy);  // from here on, the memory is free on every stream
  } catch (...) {
    resource.deallocate(data, bytes, legacy);
    throw;
  }
  return data;
}

}  // namespace

Memory::Memory(const Stream& stream, std::int64_t count, std::int64_t element_bytes) : stream_(stream) {
  if (count < 0 || count > std::numeric_limits<std::int64_t>::max() / element_bytes) {
    throw Error(ErrorCode::bad_argument,
                "Buffer: the number of elements must be 0 or more and fit in memory, is " + std::to_string(count),
                "Buffer", "size");
  }
  if (count == 0) return;
  bytes_ = count * element_bytes;
  core::in_op("Buffer", "size", [&] {
    core::Backend& backend = core::StreamAccess::state(stream).backend();
    const core::DeviceGuard device(backend, stream.ordinal());
    from_ = core::StreamAccess::state(stream).program_resource();
    data_ = from_ != nullptr ? allocate_from(*from_, backend, stream, bytes_) : backend.allocate(bytes_);
  });
}

void Memory::free() noexcept {
  core::Backend& backend = core::StreamAccess::state(stream_).backend();
  if (from_ == nullptr) return backend.deallocate(data_);
  try {
    const core::DeviceGuard device(backend, stream_.ordinal());
    backend.synchronize_device();
    from_->deallocate(data_, bytes_, nullptr);
  } catch (const Error&) {  // the device is lost, and its memory with it
  }
}

void copy_in(const Stream& stream, void* to, const void* host, std::int64_t bytes) {
  core::Backend& backend = core::StreamAccess::state(stream).backend();
  const core::DeviceGuard device(backend, stream.ordinal());
  backend.copy_in(stream.handle(), to, host, bytes);
}

void copy_out(const Stream& stream, void* host, const void* from, std::int64_t bytes) {
  core::Backend& backend = core::StreamAccess::state(stream).backend();
  const core::DeviceGuard device(backend, stream.ordinal());
  backend.copy_out(stream.handle(), host, from, bytes);
}

void require_same_size(std::int64_t expected, std::int64_t came) {
  if (expected != came) {
    throw Error(ErrorCode::bad_argument,
                "Buffer: expected " + std::to_string(expected) + " elements, got " + std::to_string(came), "Buffer",
                "host");
  }
}

}  // namespace rafter::inline v1::detail
