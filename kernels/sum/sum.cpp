// sum: checks its arguments and calls the best rung of the stream's device.
#include "rafter/sum.hpp"

#include "core/arguments.hpp"
#include "core/dispatch.hpp"
#include "sum/sum_rung.hpp"

namespace rafter {

namespace sum_ladder {
namespace cpu {
RAFTER_SUM_SIGNATURE(chunked);
}
namespace cuda {
RAFTER_SUM_SIGNATURE(last_block);
}
}  // namespace sum_ladder

namespace {

template <class T>
void checked_sum(const Stream& stream, std::span<const T> in, T* out) {
  core::require_array("sum", "in", in);
  core::require_array("sum", "out", std::span<T>(out, 1));
  core::require_disjoint("sum", "in", in, "out", std::span<const T>(out, 1));
  core::dispatch(
      stream, "sum", [&] { sum_ladder::cpu::chunked<T>(stream, in, out); },
      RAFTER_CUDA_CALL(sum_ladder::cuda::last_block<T>(stream, in, out)));
}

}  // namespace

void sum(const Stream& stream, std::span<const float> in, float* out) { checked_sum(stream, in, out); }
void sum(const Stream& stream, std::span<const double> in, double* out) { checked_sum(stream, in, out); }

}  // namespace rafter
