// fill: checks its arguments and calls the best rung of the stream's device.
#include "fill/fill_rung.hpp"
#include "library/core/arguments.hpp"
#include "library/core/dispatch.hpp"

namespace rafter {

namespace fill_ladder {
namespace cpu {
extern const FillRung threads;
}
namespace cuda {
extern const FillRung vectorised;
}
}  // namespace fill_ladder

template <class T>
void detail::Fill<T>::operator()(const Stream& stream, T value, DeviceSpan<T> out) const {
  using namespace fill_ladder;
  core::require_array(stream, "fill", "out", out);
  core::dispatch<cpu::threads, cuda::vectorised>("fill", stream, fill_args(value, out.elements()));
}

template struct core::Instances<decltype(fill)>;

}  // namespace rafter
