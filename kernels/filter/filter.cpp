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

template <class T>
void detail::Filter<T>::operator()(const Stream& stream, DeviceSpan<const T> in, Predicate<T> keep, FilterOrder order,
                                   DeviceSpan<T> out, DeviceSpan<std::int64_t> count) const {
  using namespace filter_ladder;
  core::require_array(stream, "filter", "in", in);
  core::require_array(stream, "filter", "out", out);
  core::require_size("filter", "count", count, 1);
  core::require_array(stream, "filter", "count", count);
  core::require_disjoint("filter", "in", in, "out", out);
  core::require_disjoint("filter", "in", in, "count", count);
  core::require_disjoint("filter", "out", out, "count", count);
  const FilterArgs<T> args{in.elements(), keep, order, out.elements(), count.data()};
  order == FilterOrder::any ? core::dispatch<cpu::two_passes, cuda::tile_atomic>("filter", stream, args)
                            : core::dispatch<cpu::two_passes, cuda::look_back>("filter", stream, args);
}

template struct core::Instances<decltype(filter)>;

}  // namespace rafter
