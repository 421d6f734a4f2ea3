// Reductions by key and their gradients.
#include "rafter/scatter.hpp"

#include <optional>
#include <utility>

#include "library/c_api/tensors.hpp"

struct rafter_scatter_plan {
  rafter::ScatterPlan plan;
};

namespace rafter::c_api {

namespace {

Reduction reduction_of(const Function& function, std::int32_t reduction) {
  return enumerator(function, "reduction", reduction, Reduction::max);
}

/// The additional results of a scatter, which may be absent.
ScatterDetails details_of(const Tensors& given, const rafter_tensor* counts, const rafter_tensor* arguments,
                          std::int64_t n_keys) {
  return {.counts = given.optional_array<std::int64_t>("counts", counts, {n_keys}),
          .arguments = given.optional_array<std::int64_t>("arguments", arguments, {n_keys})};
}

/// The results of a scatter that its gradient needs.
ScatterForward forward_of(const Tensors& given, Reduction reduction, const rafter_tensor* counts,
                          const rafter_tensor* arguments, std::int64_t n_keys) {
  return {.reduction = reduction,
          .counts = given.optional_array<const std::int64_t>("counts", counts, {n_keys}),
          .arguments = given.optional_array<const std::int64_t>("arguments", arguments, {n_keys})};
}

/// Returns the extent of a tensor of one axis.
std::int64_t length(const Tensors& given, const char* argument, const rafter_tensor* tensor) {
  given.require_shape(argument, tensor, {any});
  return tensor->shape[0];
}

}  // namespace

}  // namespace rafter::c_api

namespace c = rafter::c_api;

rafter_status rafter_scatter(const rafter_stream* stream, const rafter_tensor* keys, const rafter_tensor* values,
                             int32_t reduction, int32_t order, const rafter_tensor* out, const rafter_tensor* counts,
                             const rafter_tensor* arguments) noexcept {
  return c::guarded(c::Function("rafter_scatter"), [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    const rafter::ScatterOptions options{c::reduction_of(function, reduction),
                                         c::enumerator(function, "order", order, rafter::KeyOrder::sorted)};
    const std::int64_t n = c::length(given, "keys", keys), n_keys = c::length(given, "out", out);
    given.for_type(rafter::ScatterKeyTypes{}, "keys", keys, [&]<class Key>() {
      given.for_type(rafter::ScatterTypes{}, "values", values, [&]<class T>() {
        rafter::scatter(given.stream(), given.array<const Key>("keys", keys),
                        given.array<const T>("values", values, {n}), options, given.array<T>("out", out),
                        c::details_of(given, counts, arguments, n_keys));
      });
    });
  });
}

rafter_status rafter_scatter_by_plan(const rafter_stream* stream, const rafter_scatter_plan* plan,
                                     const rafter_tensor* values, int32_t reduction, const rafter_tensor* out,
                                     const rafter_tensor* counts, const rafter_tensor* arguments) noexcept {
  return c::guarded(c::Function("rafter_scatter_by_plan", "scatter"), [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    const rafter::ScatterPlan& sorted = c::required(function, "plan", plan).plan;
    const rafter::Reduction wanted = c::reduction_of(function, reduction);
    given.for_type(rafter::ScatterTypes{}, "values", values, [&]<class T>() {
      rafter::scatter(given.stream(), sorted, given.array<const T>("values", values, {sorted.size()}), wanted,
                      given.array<T>("out", out, {sorted.n_keys()}),
                      c::details_of(given, counts, arguments, sorted.n_keys()));
    });
  });
}

rafter_status rafter_scatter_gradient(const rafter_stream* stream, const rafter_tensor* keys, int32_t reduction,
                                      const rafter_tensor* counts, const rafter_tensor* arguments,
                                      const rafter_tensor* out_gradient, const rafter_tensor* gradient) noexcept {
  return c::guarded(c::Function("rafter_scatter_gradient"), [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    const rafter::Reduction wanted = c::reduction_of(function, reduction);
    const std::int64_t n = c::length(given, "keys", keys), n_keys = c::length(given, "out_gradient", out_gradient);
    given.for_type(rafter::ScatterKeyTypes{}, "keys", keys, [&]<class Key>() {
      given.for_type(rafter::ScatterGradientTypes{}, "out_gradient", out_gradient, [&]<class T>() {
        rafter::scatter_gradient(given.stream(), given.array<const Key>("keys", keys),
                                 c::forward_of(given, wanted, counts, arguments, n_keys),
                                 given.array<const T>("out_gradient", out_gradient),
                                 given.array<T>("gradient", gradient, {n}));
      });
    });
  });
}

rafter_status rafter_scatter_gradient_by_plan(const rafter_stream* stream, const rafter_scatter_plan* plan,
                                              int32_t reduction, const rafter_tensor* counts,
                                              const rafter_tensor* arguments, const rafter_tensor* out_gradient,
                                              const rafter_tensor* gradient) noexcept {
  return c::guarded(c::Function("rafter_scatter_gradient_by_plan", "scatter_gradient"),
                    [&](const c::Function& function) {
                      const c::Tensors given(function, stream);
                      const rafter::ScatterPlan& sorted = c::required(function, "plan", plan).plan;
                      const rafter::Reduction wanted = c::reduction_of(function, reduction);
                      given.for_type(rafter::ScatterGradientTypes{}, "out_gradient", out_gradient, [&]<class T>() {
                        rafter::scatter_gradient(given.stream(), sorted,
                                                 c::forward_of(given, wanted, counts, arguments, sorted.n_keys()),
                                                 given.array<const T>("out_gradient", out_gradient, {sorted.n_keys()}),
                                                 given.array<T>("gradient", gradient, {sorted.size()}));
                      });
                    });
}

rafter_status rafter_scatter_plan_create(const rafter_stream* stream, const rafter_tensor* keys, int64_t n_keys,
                                         rafter_scatter_plan** plan) noexcept {
  return c::created(c::Function("rafter_scatter_plan_create", "ScatterPlan"), "plan", plan,
                    [&](const c::Function& function) {
                      const c::Tensors given(function, stream);
                      std::optional<rafter::ScatterPlan> sorted;
                      given.for_type(rafter::ScatterKeyTypes{}, "keys", keys, [&]<class Key>() {
                        sorted.emplace(given.stream(), given.array<const Key>("keys", keys, {c::any}), n_keys);
                      });
                      return std::move(*sorted);
                    });
}

void rafter_scatter_plan_destroy(rafter_scatter_plan* plan) noexcept { delete plan; }
