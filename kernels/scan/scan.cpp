// The public ops inclusive_sum and exclusive_sum: check their arguments and call the best rung of the stream's device.
#include "library/core/arguments.hpp"
#include "library/core/dispatch.hpp"
#include "scan/scan_rung.hpp"

namespace rafter {

namespace scan_ladder {
namespace cpu {
extern const ScanRung two_phases;
}
namespace cuda {
extern const ScanRung look_back;
}

namespace {

template <class T>
void checked_scan(const char* op, const Stream& stream, const ScanArgs<T>& args) {
  core::require_size(op, "out", args.out, std::ssize(args.in));
  core::require_array(stream, op, "in", args.in);
  core::require_array(stream, op, "out", args.out);
  if (args.in.data() != args.out.data()) core::require_disjoint(op, "in", args.in, "out", args.out);
  core::dispatch<cpu::two_phases, cuda::look_back>(op, stream, args);
}

}  // namespace

}  // namespace scan_ladder

template <class T>
void detail::InclusiveSum<T>::operator()(const Stream& stream, DeviceSpan<const T> in, DeviceSpan<T> out) const {
  using namespace scan_ladder;
  checked_scan("inclusive_sum", stream, ScanArgs<T>{in.elements(), ScanKind::inclusive, out.elements()});
}

template <class T>
void detail::ExclusiveSum<T>::operator()(const Stream& stream, DeviceSpan<const T> in, DeviceSpan<T> out) const {
  using namespace scan_ladder;
  checked_scan("exclusive_sum", stream, ScanArgs<T>{in.elements(), ScanKind::exclusive, out.elements()});
}

template struct core::Instances<decltype(inclusive_sum)>;
template struct core::Instances<decltype(exclusive_sum)>;

}  // namespace rafter
