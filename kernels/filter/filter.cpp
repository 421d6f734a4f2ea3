// filter: checks its arguments and calls the best rung of the stream's device.
#include "rafter/filter.hpp"

#include "core/arguments.hpp"
#include "core/dispatch.hpp"
#include "filter/filter_rung.hpp"

namespace rafter {

namespace filter_ladder {
namespace cpu {
RAFTER_FILTER_SIGNATURE(two_passes);
}
namespace cuda {
RAFTER_FILTER_SIGNATURE(tile_atomic);
RAFTER_FILTER_SIGNATURE(look_back);
}  // namespace cuda
}  // namespace filter_ladder

namespace {

std::span<const std::byte> bytes_of(const void* data, std::size_t bytes) {
  return {static_cast<const std::byte*>(data), bytes};
}

#ifdef RAFTER_WITH_CUDA
template <class T>
void cuda_filter(const Stream& stream, std::span<const T> in, Predicate<T> keep, std::span<T> out, std::int64_t* count,
                 Order order) {
  order == Order::any ? filter_ladder::cuda::tile_atomic<T>(stream, in, keep, out, count, order)
                      : filter_ladder::cuda::look_back<T>(stream, in, keep, out, count, order);
}
#endif

template <class T>
void checked_filter(const Stream& stream, std::span<const T> in, Predicate<T> keep, std::span<T> out,
                    std::int64_t* count, Order order) {
  core::require_array("filter", "in", in);
  core::require_array("filter", "out", out);
  core::require_array("filter", "count", std::span<std::int64_t>(count, 1));
  const auto in_bytes = bytes_of(in.data(), in.size_bytes());
  const auto out_bytes = bytes_of(out.data(), out.size_bytes());
  const auto count_bytes = bytes_of(count, sizeof *count);
  core::require_disjoint("filter", "in", in_bytes, "out", out_bytes);
  core::require_disjoint("filter", "in", in_bytes, "count", count_bytes);
  core::require_disjoint("filter", "out", out_bytes, "count", count_bytes);
  core::dispatch(
      stream, "filter", [&] { filter_ladder::cpu::two_passes<T>(stream, in, keep, out, count, order); },
      RAFTER_CUDA_CALL(cuda_filter<T>(stream, in, keep, out, count, order)));
}

}  // namespace

#define RAFTER_FILTER_OP(T)                                                                                          \
  void filter(const Stream& stream, std::span<const T> in, Predicate<T> keep, std::span<T> out, std::int64_t* count, \
              Order order) {                                                                                         \
    checked_filter(stream, in, keep, out, count, order);                                                             \
  }
RAFTER_FILTER_OP(float)
RAFTER_FILTER_OP(double)
RAFTER_FILTER_OP(std::int32_t)
RAFTER_FILTER_OP(std::int64_t)
#undef RAFTER_FILTER_OP

}  // namespace rafter
