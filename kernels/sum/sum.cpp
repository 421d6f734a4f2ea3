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
void detail::Sum<T>::operator()(const Stream& stream, std::span<const T> in, T* out) const {
  using namespace sum_ladder;
  core::require_array("sum", "in", in);
  core::require_array("sum", "out", std::span<T>(out, 1));
  core::require_disjoint("sum", "in", in, "out", std::span<const T>(out, 1));
  core::dispatch<cpu::chunked, cuda::published>("sum", stream, SumArgs<T>{in, out});
}

template struct core::Instances<decltype(sum)>;

}  // namespace rafter
