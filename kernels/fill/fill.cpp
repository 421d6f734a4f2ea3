// fill: checks its arguments and calls the best rung of the stream's device.
#include "rafter/fill.hpp"

#include "core/arguments.hpp"
#include "core/dispatch.hpp"
#include "fill/fill_rung.hpp"

namespace rafter {

namespace fill_ladder {
namespace cpu {
RAFTER_FILL_SIGNATURE(threads);
}
namespace cuda {
RAFTER_FILL_SIGNATURE(vectorised);
}
}  // namespace fill_ladder

namespace {

template <class T>
void checked_fill(const Stream& stream, std::span<T> out, T value) {
  core::require_array("fill", "out", out);
  core::dispatch(
      stream, "fill", [&] { fill_ladder::cpu::threads<T>(stream, out, value); },
      RAFTER_CUDA_CALL(fill_ladder::cuda::vectorised<T>(stream, out, value)));
}

}  // namespace

void fill(const Stream& stream, std::span<float> out, float value) { checked_fill(stream, out, value); }
void fill(const Stream& stream, std::span<double> out, double value) { checked_fill(stream, out, value); }
void fill(const Stream& stream, std::span<std::int32_t> out, std::int32_t value) { checked_fill(stream, out, value); }
void fill(const Stream& stream, std::span<std::int64_t> out, std::int64_t value) { checked_fill(stream, out, value); }

}  // namespace rafter
