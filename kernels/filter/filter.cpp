// filter: checks its arguments and calls the best rung of the stream's device.
#include "filter/filter_rung.hpp"
#include "library/core/arguments.hpp"
#include "library/core/dispatch.hpp"

namespace rafter {

namespace filter_ladder {
namespace cpu {
extern const FilterRung two_passes;
}
namespace cuda {
extern const FilterRung tile_atomic;
extern const FilterRung look_back;
}  // namespace cuda
}  // namespace filter_ladder

namespace {

std::span<const std::byte> bytes_of(const void* data, std::size_t bytes) {
  return {static_cast<const std::byte*>(data), bytes};
}

}  // namespace

template <class T>
void detail::Filter<T>::operator()(const Stream& stream, std::span<const T> in, Predicate<T> keep, FilterOrder order,
                                   std::span<T> out, std::int64_t* count) const {
  using namespace filter_ladder;
  core::require_array("filter", "in", in);
  core::require_array("filter", "out", out);
  core::require_array("filter", "count", std::span<std::int64_t>(count, 1));
  const auto in_bytes = bytes_of(in.data(), in.size_bytes());
  const auto out_bytes = bytes_of(out.data(), out.size_bytes());
  const auto count_bytes = bytes_of(count, sizeof *count);
  core::require_disjoint("filter", "in", in_bytes, "out", out_bytes);
  core::require_disjoint("filter", "in", in_bytes, "count", count_bytes);
  core::require_disjoint("filter", "out", out_bytes, "count", count_bytes);
  const FilterArgs<T> args{in, keep, order, out, count};
  order == FilterOrder::any ? core::dispatch<cpu::two_passes, cuda::tile_atomic>("filter", stream, args)
                            : core::dispatch<cpu::two_passes, cuda::look_back>("filter", stream, args);
}

template struct core::Instances<decltype(filter)>;

}  // namespace rafter
