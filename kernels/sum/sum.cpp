// The public op sum: checks its arguments and calls the best rung of the stream's device.
#include "library/core/arguments.hpp"
#include "library/core/dispatch.hpp"
#include "sum/sum_rung.hpp"

namespace rafter {

namespace sum_ladder {
namespace cpu {
extern const SumRung chunked;
}
namespace cuda {
extern const SumRung published;
}
}  // namespace sum_ladder

template <class T>
void detail::Sum<T>::operator()(const Stream& stream, DeviceSpan<const T> in, DeviceSpan<SumResult<T>> out) const {
  using namespace sum_ladder;
  core::require_array(stream, "sum", "in", in);
  core::require_size("sum", "out", out, 1);
  core::require_array(stream, "sum", "out", out);
  core::require_disjoint("sum", "in", in, "out", out);
  core::dispatch<cpu::chunked, cuda::published>("sum", stream, SumArgs<T>{in.elements(), out.data()});
}

template struct core::Instances<decltype(sum)>;

}  // namespace rafter
