// The public op mul_add: checks its arguments and calls the best rung of the stream's device.
#include "library/core/arguments.hpp"
#include "library/core/dispatch.hpp"
#include "mul_add/mul_add_rung.hpp"

namespace rafter {

namespace mul_add_ladder {
namespace cpu {
extern const MulAddRung threads;
}
namespace cuda {
extern const MulAddRung vectorised;
}
}  // namespace mul_add_ladder

namespace {

template <class T>
void require_input(const Stream& stream, const char* argument, DeviceSpan<const T> in, DeviceSpan<T> out) {
  core::require_size("mul_add", argument, in, out.size());
  core::require_array(stream, "mul_add", argument, in);
  if (in.data() == out.data()) return;
  core::require_disjoint("mul_add", argument, in, "out", out);
}

}  // namespace

template <class T>
void detail::MulAdd<T>::operator()(const Stream& stream, DeviceSpan<const T> a, DeviceSpan<const T> b,
                                   DeviceSpan<const T> c, DeviceSpan<T> out) const {
  using namespace mul_add_ladder;
  core::require_array(stream, "mul_add", "out", out);
  require_input(stream, "a", a, out);
  require_input(stream, "b", b, out);
  require_input(stream, "c", c, out);
  const MulAddArgs<T> args{{a.data(), b.data(), c.data()}, out.elements()};
  core::dispatch<cpu::threads, cuda::vectorised>("mul_add", stream, args);
}

template struct core::Instances<decltype(mul_add)>;

}  // namespace rafter
