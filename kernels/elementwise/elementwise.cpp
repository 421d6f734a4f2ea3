// The public ops multiply, convert and iota: check their arguments and call the best rung of the stream's device.
#include "elementwise/elementwise_rung.hpp"
#include "library/core/arguments.hpp"
#include "library/core/dispatch.hpp"

namespace rafter {

namespace elementwise_ladder {
namespace cpu {
extern const ElementwiseRung threads;
}
namespace cuda {
extern const ElementwiseRung vectorised;
}

namespace {

/// Requires an input of out's size that is out itself, if its elements have the same size, or disjoint from it.
template <class In, class Out>
void require_input(const char* op, const Stream& stream, const char* argument, DeviceSpan<const In> in,
                   DeviceSpan<Out> out) {
  core::require_size(op, argument, in, out.size());
  core::require_array(stream, op, argument, in);
  if (sizeof(In) == sizeof(Out) && static_cast<const void*>(in.data()) == out.data()) return;
  core::require_disjoint(op, argument, in, "out", out);
}

template <class Map>
void compute(const char* op, const Stream& stream, Map map, DeviceSpan<typename Map::Out> out) {
  core::dispatch<cpu::threads, cuda::vectorised>(op, stream, ElementwiseArgs<Map>{map, out.elements()});
}

}  // namespace
}  // namespace elementwise_ladder

template <class T>
void detail::Multiply<T>::operator()(const Stream& stream, DeviceSpan<const T> a, DeviceSpan<const T> b,
                                     DeviceSpan<T> out) const {
  using namespace elementwise_ladder;
  core::require_array(stream, "multiply", "out", out);
  require_input("multiply", stream, "a", a, out);
  require_input("multiply", stream, "b", b, out);
  compute("multiply", stream, Multiplication<T>{a.data(), b.data()}, out);
}

template <class T>
void detail::Scale<T>::operator()(const Stream& stream, DeviceSpan<const T> a, T factor, DeviceSpan<T> out) const {
  using namespace elementwise_ladder;
  core::require_array(stream, "multiply", "out", out);
  require_input("multiply", stream, "a", a, out);
  compute("multiply", stream, Scaling<T>{a.data(), factor}, out);
}

template <class From, class To>
void detail::Convert<From, To>::operator()(const Stream& stream, DeviceSpan<const From> in, DeviceSpan<To> out) const {
  using namespace elementwise_ladder;
  core::require_array(stream, "convert", "out", out);
  require_input("convert", stream, "in", in, out);
  compute("convert", stream, Conversion<From, To>{in.data()}, out);
}

template <class T>
void detail::Iota<T>::operator()(const Stream& stream, T start, T step, DeviceSpan<T> out) const {
  using namespace elementwise_ladder;
  core::require_array(stream, "iota", "out", out);
  compute("iota", stream, Sequence<T>{start, step, 0}, out);
}

template struct core::Instances<decltype(multiply)>;
template struct core::Instances<decltype(convert)>;
template struct core::Instances<decltype(iota)>;

}  // namespace rafter
