// The public ops scatter and scatter_gradient, and ScatterPlan: check their arguments and call the best rung of the
// stream's device.
#include "library/core/arguments.hpp"
#include "library/core/dispatch.hpp"
#include "scatter/scatter_rung.hpp"

namespace rafter {

namespace scatter_ladder {
namespace cpu {
extern const ScatterRung by_shape;
extern const GradientRung fetch_gradient;
extern const SortRung sort_keys;
}  // namespace cpu
namespace cuda {
extern const ScatterRung by_shape;
extern const GradientRung fetch_gradient;
extern const SortRung sort_keys;
}  // namespace cuda

namespace {

bool is_extreme(Reduction reduction) { return reduction == Reduction::min || reduction == Reduction::max; }

/// Whether the reduction needs a span of one number per key, allows it, or cannot use it.
enum class Presence { required, optional, senseless };
template <class T>
void require_per_key(const Stream& stream, const char* op, const char* argument, DeviceSpan<T> array,
                     std::int64_t n_keys, Presence presence) {
  if (presence == Presence::senseless && !array.empty())
    core::refuse(op, argument, "has no meaning for this reduction");
  if (presence == Presence::optional && array.empty()) return;
  if (presence != Presence::senseless) core::require_size(op, argument, array, n_keys);
  core::require_array(stream, op, argument, array);
}

template <class T, class Key>
void checked_scatter(const Stream& stream, const ScatterArgs<T, Key>& args) {
  constexpr const char* op = "scatter";
  const auto& [counts, arguments] = args.details;
  const Reduction reduction = args.options.reduction;
  core::require_size(op, "values", args.values, args.n());
  core::require_array(stream, op, "keys", args.keys);
  core::require_array(stream, op, "values", args.values);
  core::require_array(stream, op, "out", args.out);
  require_per_key(stream, op, "details.counts", counts, args.n_keys(),
                  reduction == Reduction::mean ? Presence::required : Presence::optional);
  require_per_key(stream, op, "details.arguments", arguments, args.n_keys(),
                  is_extreme(reduction) ? Presence::optional : Presence::senseless);
  core::require_disjoint(op, "keys", args.keys, "out", args.out);
  core::require_disjoint(op, "values", args.values, "out", args.out);
  core::require_disjoint(op, "keys", args.keys, "details.counts", counts);
  core::require_disjoint(op, "values", args.values, "details.counts", counts);
  core::require_disjoint(op, "out", args.out, "details.counts", counts);
  core::require_disjoint(op, "keys", args.keys, "details.arguments", arguments);
  core::require_disjoint(op, "values", args.values, "details.arguments", arguments);
  core::require_disjoint(op, "out", args.out, "details.arguments", arguments);
  core::require_disjoint(op, "details.counts", counts, "details.arguments", arguments);
  core::dispatch<cpu::by_shape, cuda::by_shape>(op, stream, args);
}

template <class T, class Key>
void checked_gradient(const Stream& stream, const GradientArgs<T, Key>& args) {
  constexpr const char* op = "scatter_gradient";
  const auto& [reduction, counts, arguments] = args.forward;
  const std::int64_t n_keys = std::ssize(args.out_gradient);
  core::require_size(op, "gradient", args.gradient, std::ssize(args.keys));
  core::require_array(stream, op, "keys", args.keys);
  core::require_array(stream, op, "out_gradient", args.out_gradient);
  core::require_array(stream, op, "gradient", args.gradient);
  require_per_key(stream, op, "forward.counts", counts, n_keys,
                  reduction == Reduction::mean ? Presence::required : Presence::optional);
  require_per_key(stream, op, "forward.arguments", arguments, n_keys,
                  is_extreme(reduction) ? Presence::required : Presence::optional);
  core::require_disjoint(op, "keys", args.keys, "gradient", args.gradient);
  core::require_disjoint(op, "out_gradient", args.out_gradient, "gradient", args.gradient);
  core::require_disjoint(op, "forward.counts", counts, "gradient", args.gradient);
  core::require_disjoint(op, "forward.arguments", arguments, "gradient", args.gradient);
  core::dispatch<cpu::fetch_gradient, cuda::fetch_gradient>(op, stream, args);
}

template <class Key>
void checked_sort(const Stream& stream, const SortArgs<Key>& args) {
  core::require_array(stream, "ScatterPlan", "keys", args.keys);
  if (args.n_keys < 0) core::refuse("ScatterPlan", "n_keys", "must be 0 or more, is " + std::to_string(args.n_keys));
  core::dispatch<cpu::sort_keys, cuda::sort_keys>("ScatterPlan", stream, args);
}

void require_plan_size(const char* op, const ScatterPlan& plan, std::int64_t n_keys) {
  if (plan.n_keys() == n_keys) return;
  core::refuse(op, "plan", "is for " + std::to_string(plan.n_keys()) + " keys, not " + std::to_string(n_keys));
}

}  // namespace

}  // namespace scatter_ladder

ScatterPlan::ScatterPlan(const Stream& stream, DeviceSpan<const std::int32_t> keys, std::int64_t n_keys)
    : keys_(stream, keys.size()), order_(stream, keys.size()), n_keys_(n_keys) {
  using namespace scatter_ladder;
  checked_sort(stream,
               SortArgs<std::int32_t>{keys.elements(), n_keys, keys_.span().elements(), order_.span().elements()});
}
ScatterPlan::ScatterPlan(const Stream& stream, DeviceSpan<const std::int64_t> keys, std::int64_t n_keys)
    : keys_(stream, keys.size()), order_(stream, keys.size()), n_keys_(n_keys) {
  using namespace scatter_ladder;
  checked_sort(stream,
               SortArgs<std::int64_t>{keys.elements(), n_keys, keys_.span().elements(), order_.span().elements()});
}

template <class T, class Key>
void detail::Scatter<T, Key>::operator()(const Stream& stream, DeviceSpan<const Key> keys, DeviceSpan<const T> values,
                                         ScatterOptions options, DeviceSpan<T> out, ScatterDetails details) const {
  using namespace scatter_ladder;
  checked_scatter(stream, ScatterArgs<T, Key>{keys.elements(), values.elements(), options, out.elements(), details});
}

template <class T>
void detail::ScatterByPlan<T>::operator()(const Stream& stream, const ScatterPlan& plan, DeviceSpan<const T> values,
                                          Reduction reduction, DeviceSpan<T> out, ScatterDetails details) const {
  using namespace scatter_ladder;
  require_plan_size("scatter", plan, out.size());
  const ScatterOptions options = {reduction, KeyOrder::sorted};
  checked_scatter(stream, ScatterArgs<T, std::int64_t>{plan.keys().elements(), values.elements(), options,
                                                       out.elements(), details, plan.order().data()});
}

template <class T, class Key>
void detail::ScatterGradient<T, Key>::operator()(const Stream& stream, DeviceSpan<const Key> keys,
                                                 const ScatterForward& forward, DeviceSpan<const T> out_gradient,
                                                 DeviceSpan<T> gradient) const {
  using namespace scatter_ladder;
  checked_gradient(stream,
                   GradientArgs<T, Key>{keys.elements(), forward, out_gradient.elements(), gradient.elements()});
}

template <class T>
void detail::ScatterGradientByPlan<T>::operator()(const Stream& stream, const ScatterPlan& plan,
                                                  const ScatterForward& forward, DeviceSpan<const T> out_gradient,
                                                  DeviceSpan<T> gradient) const {
  using namespace scatter_ladder;
  require_plan_size("scatter_gradient", plan, out_gradient.size());
  checked_gradient(stream, GradientArgs<T, std::int64_t>{plan.keys().elements(), forward, out_gradient.elements(),
                                                         gradient.elements(), plan.order().data()});
}

template struct core::Instances<decltype(scatter)>;
template struct core::Instances<decltype(scatter_gradient)>;

}  // namespace rafter
