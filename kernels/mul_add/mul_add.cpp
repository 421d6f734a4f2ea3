// mul_add: checks its arguments and calls the best rung of the stream's device.
#include "rafter/mul_add.hpp"

#include "core/arguments.hpp"
#include "core/dispatch.hpp"
#include "mul_add/mul_add_rung.hpp"

namespace rafter {

namespace mul_add_ladder {
namespace cpu {
RAFTER_MUL_ADD_SIGNATURE(threads);
}
namespace cuda {
RAFTER_MUL_ADD_SIGNATURE(vectorised);
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

template <class T>
void checked_mul_add(const Stream& stream, std::span<const T> a, std::span<const T> b, std::span<const T> c,
                     std::span<T> out) {
  core::require_array("mul_add", "out", out);
  require_input("a", a, out);
  require_input("b", b, out);
  require_input("c", c, out);
  const mul_add_ladder::Factors<T> in{a.data(), b.data(), c.data()};
  core::dispatch(
      stream, "mul_add", [&] { mul_add_ladder::cpu::threads<T>(stream, in, out); },
      RAFTER_CUDA_CALL(mul_add_ladder::cuda::vectorised<T>(stream, in, out)));
}

}  // namespace

void mul_add(const Stream& stream, std::span<const float> a, std::span<const float> b, std::span<const float> c,
             std::span<float> out) {
  checked_mul_add(stream, a, b, c, out);
}
void mul_add(const Stream& stream, std::span<const double> a, std::span<const double> b, std::span<const double> c,
             std::span<double> out) {
  checked_mul_add(stream, a, b, c, out);
}
void mul_add(const Stream& stream, std::span<const std::int32_t> a, std::span<const std::int32_t> b,
             std::span<const std::int32_t> c, std::span<std::int32_t> out) {
  checked_mul_add(stream, a, b, c, out);
}
void mul_add(const Stream& stream, std::span<const std::int64_t> a, std::span<const std::int64_t> b,
             std::span<const std::int64_t> c, std::span<std::int64_t> out) {
  checked_mul_add(stream, a, b, c, out);
}

}  // namespace rafter
