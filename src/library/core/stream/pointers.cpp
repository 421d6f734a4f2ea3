#include "library/core/stream/pointers.hpp"

#include "library/core/arguments.hpp"
#include "library/core/stream/backend.hpp"
#include "library/core/stream/op_scope.hpp"

namespace rafter::core {

std::optional<std::string> why_inaccessible(const Stream& stream, const void* data, std::int64_t bytes) {
  if (bytes <= 0) return std::nullopt;
  Backend& on = backend(stream.device());
  const DeviceGuard device(on, stream.ordinal());
  if (auto why = on.why_inaccessible(data)) return why;
  if (auto why = on.why_inaccessible(static_cast<const std::byte*>(data) + bytes - 1))
    return "extends beyond its allocation: the last of its " + std::to_string(bytes) + " bytes " + *why;
  return std::nullopt;
}

}  // namespace rafter::core

namespace rafter::inline v1::detail {

void require_device_array(const Stream& stream, const void* data, std::int64_t size, std::int64_t element_bytes,
                          std::int64_t alignment) {
  constexpr const char* op = "device_span";
  if (size < 0 || size > std::numeric_limits<std::int64_t>::max() / element_bytes)
    core::refuse(op, "size", "must be 0 or more and fit in memory, is " + std::to_string(size));
  if (size == 0) return;
  if (data == nullptr) core::refuse(op, "data", "is null but should hold " + std::to_string(size) + " elements");
  if (reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(alignment) != 0)
    core::refuse(op, "data", "must be aligned to its element size of " + std::to_string(alignment) + " bytes");
  if (const auto why = core::why_inaccessible(stream, data, size * element_bytes)) core::refuse(op, "data", *why);
}

namespace {

void require_enough(const char* view, const char* argument, std::int64_t size, std::int64_t needed) {
  if (size < needed)
    core::refuse(view, argument,
                 "should have at least " + std::to_string(needed) + " elements, has " + std::to_string(size));
}

}  // namespace

void require_matrix_view(const MatrixShape& shape, std::int64_t row_stride, std::int64_t size) {
  const auto view = MatrixView<const std::byte>::unchecked(nullptr, shape, row_stride);
  core::require_layout("MatrixView", "elements", view);
  require_enough("MatrixView", "elements", size, view.extent());
}

void require_grid_view(const GridShape& shape, std::int64_t row_stride, std::int64_t plane_stride, std::int64_t size) {
  const auto view = GridView<const std::byte>::unchecked(nullptr, shape, row_stride, plane_stride);
  const auto& [nz, ny, nx] = shape;
  if (nz < 0 || ny < 0 || nx < 0) {
    core::refuse("GridView", "shape",
                 "must have extents of 0 or more, is (" + std::to_string(nz) + ", " + std::to_string(ny) + ", " +
                     std::to_string(nx) + ")");
  }
  core::require_layout("GridView", "cells", view);
  require_enough("GridView", "cells", size, view.extent());
}

}  // namespace rafter::inline v1::detail
