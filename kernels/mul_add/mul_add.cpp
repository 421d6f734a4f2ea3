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
void require_input(const char* argument, std::span<const T> in, std::span<T> out) {
  core::require_size("mul_add", argument, in, std::ssize(out));
  core::require_array("mul_add", argument, in);
  if (in.data() == out.data()) return;
  core::require_disjoint("mul_add", argument, in, "out", std::span<const T>(out));
}

}  // namespace

template <class T>
void detail::MulAdd<T>::operator()(const Stream& stream, std::span<const T> a, std::span<const T> b,
                                   std::span<const T> c, std::span<T> out) const {
  using namespace mul_add_ladder;
  core::require_array("mul_add", "out", out);
  require_input("a", a, out);
  require_input("b", b, out);
  require_input("c", c, out);
  const MulAddArgs<T> args{{a.data(), b.data(), c.data()}, out};
  core::dispatch<cpu::threads, cuda::vectorised>("mul_add", stream, args);
}

template struct core::Instances<decltype(mul_add)>;

}  // namespace rafter
