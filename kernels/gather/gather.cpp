// gather: checks its arguments and calls the best rung of the stream's device.
#include "rafter/gather.hpp"

#include "core/arguments.hpp"
#include "core/dispatch.hpp"
#include "gather/gather_rung.hpp"

namespace rafter {

namespace gather_ladder {
namespace cpu {
RAFTER_GATHER_SIGNATURE(prefetching);
}
namespace cuda {
RAFTER_GATHER_SIGNATURE(by_table);
}
}  // namespace gather_ladder

namespace {

/// As bytes, so that arrays of different types can be held against each other.
template <class T>
std::span<const std::byte> bytes_of(std::span<T> array) {
  return std::as_bytes(array);
}

void require_bounds(const Bounds& bounds, std::int64_t n_table, std::int64_t n_indices) {
  if (bounds.kind() == Bounds::Kind::report)
    core::require_array("gather", "bounds.report's BadIndices", std::span(bounds.bad(), 1));
  if (bounds.kind() == Bounds::Kind::clamp && n_table == 0 && n_indices > 0)
    core::refuse("gather", "table", "is empty: there is no element to clamp indices to");
}

template <class T, class I>
void checked_gather(const Stream& stream, std::span<const T> table, std::span<const I> indices, std::span<T> out,
                    Bounds bounds) {
  core::require_size("gather", "out", out, std::ssize(indices));
  core::require_array("gather", "table", table);
  core::require_array("gather", "indices", indices);
  core::require_array("gather", "out", out);
  require_bounds(bounds, std::ssize(table), std::ssize(indices));
  core::require_disjoint("gather", "table", bytes_of(table), "out", bytes_of(out));
  core::require_disjoint("gather", "indices", bytes_of(indices), "out", bytes_of(out));
  core::dispatch(
      stream, "gather", [&] { gather_ladder::cpu::prefetching<T, I>(stream, table, indices, out, bounds); },
      RAFTER_CUDA_CALL(gather_ladder::cuda::by_table<T, I>(stream, table, indices, out, bounds)));
}

}  // namespace

void gather(const Stream& stream, std::span<const float> table, std::span<const std::int32_t> indices,
            std::span<float> out, Bounds bounds) {
  checked_gather(stream, table, indices, out, bounds);
}
void gather(const Stream& stream, std::span<const float> table, std::span<const std::int64_t> indices,
            std::span<float> out, Bounds bounds) {
  checked_gather(stream, table, indices, out, bounds);
}
void gather(const Stream& stream, std::span<const double> table, std::span<const std::int32_t> indices,
            std::span<double> out, Bounds bounds) {
  checked_gather(stream, table, indices, out, bounds);
}
void gather(const Stream& stream, std::span<const double> table, std::span<const std::int64_t> indices,
            std::span<double> out, Bounds bounds) {
  checked_gather(stream, table, indices, out, bounds);
}
void gather(const Stream& stream, std::span<const std::int32_t> table, std::span<const std::int32_t> indices,
            std::span<std::int32_t> out, Bounds bounds) {
  checked_gather(stream, table, indices, out, bounds);
}
void gather(const Stream& stream, std::span<const std::int32_t> table, std::span<const std::int64_t> indices,
            std::span<std::int32_t> out, Bounds bounds) {
  checked_gather(stream, table, indices, out, bounds);
}
void gather(const Stream& stream, std::span<const std::int64_t> table, std::span<const std::int32_t> indices,
            std::span<std::int64_t> out, Bounds bounds) {
  checked_gather(stream, table, indices, out, bounds);
}
void gather(const Stream& stream, std::span<const std::int64_t> table, std::span<const std::int64_t> indices,
            std::span<std::int64_t> out, Bounds bounds) {
  checked_gather(stream, table, indices, out, bounds);
}

}  // namespace rafter
