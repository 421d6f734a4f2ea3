// inclusive_sum, exclusive_sum: check their arguments and call the best rung of the stream's device.
#include "rafter/scan.hpp"

#include "core/arguments.hpp"
#include "core/dispatch.hpp"
#include "scan/scan_rung.hpp"

namespace rafter {

namespace scan_ladder {
namespace cpu {
RAFTER_SCAN_SIGNATURE(two_phases);
}
namespace cuda {
RAFTER_SCAN_SIGNATURE(look_back);
}
}  // namespace scan_ladder

namespace {

using scan_ladder::ScanKind;

template <class T>
void checked_scan(const char* op, const Stream& stream, std::span<const T> in, ScanKind kind, std::span<T> out) {
  core::require_size(op, "out", out, std::ssize(in));
  core::require_array(op, "in", in);
  core::require_array(op, "out", out);
  if (in.data() != out.data()) core::require_disjoint(op, "in", in, "out", std::span<const T>(out));
  core::dispatch(
      stream, op, [&] { scan_ladder::cpu::two_phases<T>(stream, in, kind, out); },
      RAFTER_CUDA_CALL(scan_ladder::cuda::look_back<T>(stream, in, kind, out)));
}

}  // namespace

#define RAFTER_SCAN_OPS(T)                                                            \
  void inclusive_sum(const Stream& stream, std::span<const T> in, std::span<T> out) { \
    checked_scan("inclusive_sum", stream, in, ScanKind::inclusive, out);              \
  }                                                                                   \
  void exclusive_sum(const Stream& stream, std::span<const T> in, std::span<T> out) { \
    checked_scan("exclusive_sum", stream, in, ScanKind::exclusive, out);              \
  }
RAFTER_SCAN_OPS(float)
RAFTER_SCAN_OPS(double)
RAFTER_SCAN_OPS(std::int32_t)
RAFTER_SCAN_OPS(std::int64_t)
#undef RAFTER_SCAN_OPS

}  // namespace rafter
