// The public ops minimum, maximum, argmin and argmax: check their arguments and call the best rung of the stream's
// device.
#include "extrema/extrema_rung.hpp"
#include "library/core/arguments.hpp"
#include "library/core/dispatch.hpp"

namespace rafter {

namespace extrema_ladder {
namespace cpu {
extern const ExtremaRung chunked;
}
namespace cuda {
extern const ExtremaRung published;
}

namespace {

template <class T, class Result>
void require_arguments(const Stream& stream, const char* op, DeviceSpan<const T> in, const char* name,
                       DeviceSpan<Result> out) {
  if (in.empty()) core::refuse(op, "in", "must have at least one element: an empty array has no least or greatest");
  core::require_array(stream, op, "in", in);
  core::require_size(op, name, out, 1);
  core::require_array(stream, op, name, out);
  core::require_disjoint(op, "in", in, name, out);
}

template <class T>
void find_value(const char* op, const Stream& stream, DeviceSpan<const T> in, Extremum which, DeviceSpan<T> out) {
  require_arguments(stream, op, in, "out", out);
  core::dispatch<cpu::chunked, cuda::published>(op, stream, ExtremaArgs<T>{in.elements(), which, out.data(), nullptr});
}

template <class T>
void find_index(const char* op, const Stream& stream, DeviceSpan<const T> in, Extremum which,
                DeviceSpan<std::int64_t> index) {
  require_arguments(stream, op, in, "index", index);
  core::dispatch<cpu::chunked, cuda::published>(op, stream,
                                                ExtremaArgs<T>{in.elements(), which, nullptr, index.data()});
}

}  // namespace
}  // namespace extrema_ladder

template <class T>
void detail::Minimum<T>::operator()(const Stream& stream, DeviceSpan<const T> in, DeviceSpan<T> out) const {
  extrema_ladder::find_value("minimum", stream, in, extrema_ladder::Extremum::least, out);
}
template <class T>
void detail::Maximum<T>::operator()(const Stream& stream, DeviceSpan<const T> in, DeviceSpan<T> out) const {
  extrema_ladder::find_value("maximum", stream, in, extrema_ladder::Extremum::greatest, out);
}
template <class T>
void detail::Argmin<T>::operator()(const Stream& stream, DeviceSpan<const T> in, DeviceSpan<std::int64_t> index) const {
  extrema_ladder::find_index("argmin", stream, in, extrema_ladder::Extremum::least, index);
}
template <class T>
void detail::Argmax<T>::operator()(const Stream& stream, DeviceSpan<const T> in, DeviceSpan<std::int64_t> index) const {
  extrema_ladder::find_index("argmax", stream, in, extrema_ladder::Extremum::greatest, index);
}

template struct core::Instances<decltype(minimum)>;
template struct core::Instances<decltype(maximum)>;
template struct core::Instances<decltype(argmin)>;
template struct core::Instances<decltype(argmax)>;

}  // namespace rafter
