#include "rafter/buffer.hpp"

#include <limits>
#include <string>

#include "library/core/error_origin.hpp"
#include "library/core/stream/backend.hpp"
#include "library/core/stream/op_scope.hpp"

namespace rafter::detail {

void* allocate(const Stream& stream, std::int64_t count, std::int64_t element_bytes) {
  if (count < 0 || count > std::numeric_limits<std::int64_t>::max() / element_bytes) {
    throw Error(ErrorCode::bad_argument,
                "Buffer: the number of elements must be 0 or more and fit in memory, is " + std::to_string(count),
                "Buffer", "size");
  }
  if (count == 0) return nullptr;
  return core::in_op("Buffer", "size", [&] {
    core::Backend& backend = core::backend(stream.device());
    const core::DeviceGuard device(backend, stream.ordinal());
    return backend.allocate(count * element_bytes);
  });
}

void deallocate(const Stream& stream, void* memory) noexcept {
  if (memory != nullptr) core::built_backend(stream.device())->deallocate(memory);
}

void copy_in(const Stream& stream, void* to, const void* host, std::int64_t bytes) {
  core::Backend& backend = core::backend(stream.device());
  const core::DeviceGuard device(backend, stream.ordinal());
  backend.copy_in(stream.handle(), to, host, bytes);
}

void copy_out(const Stream& stream, void* host, const void* from, std::int64_t bytes) {
  core::Backend& backend = core::backend(stream.device());
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

}  // namespace rafter::detail
