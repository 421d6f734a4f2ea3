// scatter, scatter_gradient and ScatterPlan: check their arguments and call the best rung of the stream's device.
#include "rafter/scatter.hpp"

#include "core/arguments.hpp"
#include "core/dispatch.hpp"
#include "scatter/scatter_rung.hpp"

namespace rafter {

namespace scatter_ladder {
namespace cpu {
RAFTER_SCATTER_SIGNATURE(by_shape);
RAFTER_SCATTER_GRADIENT_SIGNATURE(fetch_gradient);
RAFTER_SCATTER_SORT_SIGNATURE(sort_keys);
}  // namespace cpu
namespace cuda {
RAFTER_SCATTER_SIGNATURE(by_shape);
RAFTER_SCATTER_GRADIENT_SIGNATURE(fetch_gradient);
RAFTER_SCATTER_SORT_SIGNATURE(sort_keys);
}  // namespace cuda
}  // namespace scatter_ladder

namespace {

/// Outputs share no byte with anything else.
template <class A, class B>
void require_apart(const char* op, const char* first, std::span<A> a, const char* second, std::span<B> b) {
  core::require_disjoint(op, first, std::as_bytes(a), second, std::as_bytes(b));
}

bool is_extreme(Reduction reduction) { return reduction == Reduction::min || reduction == Reduction::max; }

/// A span of one number per key that the reduction needs, may have, or cannot have.
enum class Presence { required, optional, senseless };
template <class T>
void require_per_key(const char* op, const char* argument, std::span<T> array, std::int64_t n_keys, Presence presence) {
  if (presence == Presence::senseless && !array.empty())
    core::refuse(op, argument, "has no meaning for this reduction");
  if (presence == Presence::optional && array.empty()) return;
  if (presence != Presence::senseless) core::require_size(op, argument, array, n_keys);
  core::require_array(op, argument, array);
}

template <class T, class Key>
void checked_scatter(const Stream& stream, const ScatterArgs<T, Key>& args) {
  constexpr const char* op = "scatter";
  const auto& [counts, arguments] = args.details;
  const Reduction reduction = args.options.reduction;
  core::require_size(op, "values", args.values, args.n());
  core::require_array(op, "keys", args.keys);
  core::require_array(op, "values", args.values);
  core::require_array(op, "out", args.out);
  require_per_key(op, "details.counts", counts, args.n_keys(),
                  reduction == Reduction::mean ? Presence::required : Presence::optional);
  require_per_key(op, "details.arguments", arguments, args.n_keys(),
                  is_extreme(reduction) ? Presence::optional : Presence::senseless);
  require_apart(op, "keys", args.keys, "out", args.out);
  require_apart(op, "values", args.values, "out", args.out);
  require_apart(op, "keys", args.keys, "details.counts", counts);
  require_apart(op, "values", args.values, "details.counts", counts);
  require_apart(op, "out", args.out, "details.counts", counts);
  require_apart(op, "keys", args.keys, "details.arguments", arguments);
  require_apart(op, "values", args.values, "details.arguments", arguments);
  require_apart(op, "out", args.out, "details.arguments", arguments);
  require_apart(op, "details.counts", counts, "details.arguments", arguments);
  core::dispatch(
      stream, op, [&] { scatter_ladder::cpu::by_shape<T, Key>(stream, args); },
      RAFTER_CUDA_CALL(scatter_ladder::cuda::by_shape<T, Key>(stream, args)));
}

template <class T, class Key>
void checked_gradient(const Stream& stream, const ScatterGradientArgs<T, Key>& args) {
  constexpr const char* op = "scatter_gradient";
  const auto& [reduction, counts, arguments] = args.forward;
  const std::int64_t n_keys = std::ssize(args.out_gradient);
  core::require_size(op, "gradient", args.gradient, std::ssize(args.keys));
  core::require_array(op, "keys", args.keys);
  core::require_array(op, "out_gradient", args.out_gradient);
  core::require_array(op, "gradient", args.gradient);
  require_per_key(op, "forward.counts", counts, n_keys,
                  reduction == Reduction::mean ? Presence::required : Presence::optional);
  require_per_key(op, "forward.arguments", arguments, n_keys,
                  is_extreme(reduction) ? Presence::required : Presence::optional);
  require_apart(op, "keys", args.keys, "gradient", args.gradient);
  require_apart(op, "out_gradient", args.out_gradient, "gradient", args.gradient);
  require_apart(op, "forward.counts", counts, "gradient", args.gradient);
  require_apart(op, "forward.arguments", arguments, "gradient", args.gradient);
  core::dispatch(
      stream, op, [&] { scatter_ladder::cpu::fetch_gradient<T, Key>(stream, args); },
      RAFTER_CUDA_CALL(scatter_ladder::cuda::fetch_gradient<T, Key>(stream, args)));
}

template <class Key>
void checked_sort(const Stream& stream, std::span<const Key> keys, std::int64_t n_keys, std::span<std::int64_t> sorted,
                  std::span<std::int64_t> order) {
  core::require_array("ScatterPlan", "keys", keys);
  if (n_keys < 0) core::refuse("ScatterPlan", "n_keys", "must be 0 or more, is " + std::to_string(n_keys));
  core::dispatch(
      stream, "ScatterPlan", [&] { scatter_ladder::cpu::sort_keys<Key>(stream, keys, n_keys, sorted, order); },
      RAFTER_CUDA_CALL(scatter_ladder::cuda::sort_keys<Key>(stream, keys, n_keys, sorted, order)));
}

void require_plan_size(const char* op, const ScatterPlan& plan, std::int64_t n_keys) {
  if (plan.n_keys() == n_keys) return;
  core::refuse(op, "plan", "is for " + std::to_string(plan.n_keys()) + " keys, not " + std::to_string(n_keys));
}

}  // namespace

ScatterPlan::ScatterPlan(const Stream& stream, std::span<const std::int32_t> keys, std::int64_t n_keys)
    : keys_(stream, std::ssize(keys)), order_(stream, std::ssize(keys)), n_keys_(n_keys) {
  checked_sort(stream, keys, n_keys, keys_.span(), order_.span());
}
ScatterPlan::ScatterPlan(const Stream& stream, std::span<const std::int64_t> keys, std::int64_t n_keys)
    : keys_(stream, std::ssize(keys)), order_(stream, std::ssize(keys)), n_keys_(n_keys) {
  checked_sort(stream, keys, n_keys, keys_.span(), order_.span());
}

#define RAFTER_DEFINE_SCATTER(T, Key)                                                                              \
  void scatter(const Stream& stream, std::span<const Key> keys, std::span<const T> values, ScatterOptions options, \
               std::span<T> out, ScatterDetails details) {                                                         \
    checked_scatter<T, Key>(stream, {keys, values, options, out, details});                                        \
  }
RAFTER_DEFINE_SCATTER(float, std::int32_t)
RAFTER_DEFINE_SCATTER(float, std::int64_t)
RAFTER_DEFINE_SCATTER(double, std::int32_t)
RAFTER_DEFINE_SCATTER(double, std::int64_t)
RAFTER_DEFINE_SCATTER(std::int32_t, std::int32_t)
RAFTER_DEFINE_SCATTER(std::int32_t, std::int64_t)
RAFTER_DEFINE_SCATTER(std::int64_t, std::int32_t)
RAFTER_DEFINE_SCATTER(std::int64_t, std::int64_t)

#define RAFTER_DEFINE_GRADIENT(T, Key)                                                                  \
  void scatter_gradient(const Stream& stream, std::span<const Key> keys, const ScatterForward& forward, \
                        std::span<const T> out_gradient, std::span<T> gradient) {                       \
    checked_gradient<T, Key>(stream, {keys, forward, out_gradient, gradient});                          \
  }
RAFTER_DEFINE_GRADIENT(float, std::int32_t)
RAFTER_DEFINE_GRADIENT(float, std::int64_t)
RAFTER_DEFINE_GRADIENT(double, std::int32_t)
RAFTER_DEFINE_GRADIENT(double, std::int64_t)

#define RAFTER_DEFINE_PLANNED(T)                                                                                 \
  void scatter(const Stream& stream, const ScatterPlan& plan, std::span<const T> values, Reduction reduction,    \
               std::span<T> out, ScatterDetails details) {                                                       \
    require_plan_size("scatter", plan, std::ssize(out));                                                         \
    const ScatterOptions options = {reduction, KeyOrder::sorted};                                                \
    checked_scatter<T, std::int64_t>(stream, {plan.keys(), values, options, out, details, plan.order().data()}); \
  }
RAFTER_DEFINE_PLANNED(float)
RAFTER_DEFINE_PLANNED(double)
RAFTER_DEFINE_PLANNED(std::int32_t)
RAFTER_DEFINE_PLANNED(std::int64_t)

#define RAFTER_DEFINE_PLANNED_GRADIENT(T)                                                                           \
  void scatter_gradient(const Stream& stream, const ScatterPlan& plan, const ScatterForward& forward,               \
                        std::span<const T> out_gradient, std::span<T> gradient) {                                   \
    require_plan_size("scatter_gradient", plan, std::ssize(out_gradient));                                          \
    checked_gradient<T, std::int64_t>(stream, {plan.keys(), forward, out_gradient, gradient, plan.order().data()}); \
  }
RAFTER_DEFINE_PLANNED_GRADIENT(float)
RAFTER_DEFINE_PLANNED_GRADIENT(double)

}  // namespace rafter
