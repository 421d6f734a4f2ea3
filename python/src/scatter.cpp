// Reductions by key.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>

#include "call.hpp"
#include "modules.hpp"

namespace rafter::python {

using namespace nb::literals;

namespace {

int reduction_of(const char* op, const std::string& reduction) {
  return choice(op, "reduction", reduction, {"sum", "mean", "min", "max"});
}

/// The results of a scatter besides `out`: the caller's, or the counts that a mean needs.
struct Details {
  const rafter_tensor* counts;
  const rafter_tensor* arguments;

  Details(Call& call, int reduction, std::int64_t n_keys, nb::handle given_counts, nb::handle given_arguments) {
    counts = reduction == RAFTER_REDUCE_MEAN ? call.result("counts", given_counts, int64_type, {n_keys}).tensor()
                                             : call.optional_out("counts", given_counts);
    arguments = call.optional_out("arguments", given_arguments);
  }
};

nb::object scatter(nb::handle keys, nb::handle values, std::optional<std::int64_t> n_keys, const std::string& reduction,
                   bool sorted, nb::handle out, nb::handle counts, nb::handle arguments) {
  Call call("scatter");
  const int kind = reduction_of("scatter", reduction);
  if (!n_keys && out.is_none()) throw nb::type_error("scatter: pass n_keys or out");
  if (n_keys && *n_keys < 0)
    throw nb::value_error(("scatter: n_keys should be 0 or more, is " + std::to_string(*n_keys)).c_str());
  const Array& data = call.in("values", values);
  const Array& by = call.in("keys", keys);
  const auto to = call.result("out", out, data.tensor()->dtype, {n_keys.value_or(0)});
  if (n_keys && to.array->size() != *n_keys)
    throw nb::value_error(("scatter: out should have " + std::to_string(*n_keys) + " elements, as n_keys says, has " +
                           std::to_string(to.array->size()))
                              .c_str());
  const Details details(call, kind, to.array->size(), counts, arguments);
  const int order = sorted ? RAFTER_KEYS_SORTED : RAFTER_KEYS_UNSORTED;
  call.run([&](rafter_stream* stream) {
    return rafter_scatter(stream, by.tensor(), data.tensor(), kind, order, to.tensor(), details.counts,
                          details.arguments);
  });
  return to.object;
}

nb::object scatter_gradient(nb::handle keys, nb::handle out_gradient, const std::string& reduction, nb::handle counts,
                            nb::handle arguments, nb::handle gradient) {
  Call call("scatter_gradient");
  const int kind = reduction_of("scatter_gradient", reduction);
  const Array& given = call.in("out_gradient", out_gradient);
  const Array& by = call.in("keys", keys);
  const rafter_tensor* const counted = call.optional_in("counts", counts);
  const rafter_tensor* const chosen = call.optional_in("arguments", arguments);
  const auto to = call.result("gradient", gradient, given.tensor()->dtype, {by.size()});
  call.run([&](rafter_stream* stream) {
    return rafter_scatter_gradient(stream, by.tensor(), kind, counted, chosen, given.tensor(), to.tensor());
  });
  return to.object;
}

/// Keys sorted once.
class ScatterPlan {
 public:
  ScatterPlan(nb::handle keys, std::int64_t n_keys) : n_keys_(n_keys) {
    Call call("ScatterPlan");
    const Array& by = call.in("keys", keys);
    size_ = by.size();
    call.run([&](rafter_stream* stream) { return rafter_scatter_plan_create(stream, by.tensor(), n_keys, &plan_); });
  }
  ~ScatterPlan() { rafter_scatter_plan_destroy(plan_); }
  ScatterPlan(const ScatterPlan&) = delete;
  ScatterPlan& operator=(const ScatterPlan&) = delete;

  std::int64_t n_keys() const { return n_keys_; }
  std::int64_t size() const { return size_; }

  nb::object scatter(nb::handle values, const std::string& reduction, nb::handle out, nb::handle counts,
                     nb::handle arguments) const {
    Call call("scatter");
    const int kind = reduction_of("scatter", reduction);
    const Array& data = call.in("values", values);
    const auto to = call.result("out", out, data.tensor()->dtype, {n_keys_});
    const Details details(call, kind, n_keys_, counts, arguments);
    call.run([&](rafter_stream* stream) {
      return rafter_scatter_by_plan(stream, plan_, data.tensor(), kind, to.tensor(), details.counts, details.arguments);
    });
    return to.object;
  }

  nb::object gradient(nb::handle out_gradient, const std::string& reduction, nb::handle counts, nb::handle arguments,
                      nb::handle gradient) const {
    Call call("scatter_gradient");
    const int kind = reduction_of("scatter_gradient", reduction);
    const Array& given = call.in("out_gradient", out_gradient);
    const rafter_tensor* const counted = call.optional_in("counts", counts);
    const rafter_tensor* const chosen = call.optional_in("arguments", arguments);
    const auto to = call.result("gradient", gradient, given.tensor()->dtype, {size_});
    call.run([&](rafter_stream* stream) {
      return rafter_scatter_gradient_by_plan(stream, plan_, kind, counted, chosen, given.tensor(), to.tensor());
    });
    return to.object;
  }

 private:
  rafter_scatter_plan* plan_ = nullptr;
  std::int64_t n_keys_, size_ = 0;
};

}  // namespace

void add_scatter(nb::module_& module) {
  module.def("scatter", &scatter, "keys"_a, "values"_a, "n_keys"_a = nb::none(), "reduction"_a = "sum", nb::kw_only(),
             "sorted"_a = false, "out"_a = nb::none(), "counts"_a = nb::none(), "arguments"_a = nb::none(),
             "Returns, for each key k of [0, n_keys), the 'sum', 'mean', 'min' or 'max' of the values[i] with "
             "keys[i] == k. counts and arguments, int64 arrays of n_keys elements, receive the number of elements of "
             "each key and the index of each minimum or maximum.");
  module.def("scatter_gradient", &scatter_gradient, "keys"_a, "out_gradient"_a, "reduction"_a = "sum", nb::kw_only(),
             "counts"_a = nb::none(), "arguments"_a = nb::none(), "gradient"_a = nb::none(),
             "Returns the gradient with respect to the values of scatter(), given that with respect to its result. "
             "counts (mean) and arguments (min, max) are those of the scatter.");
  nb::class_<ScatterPlan>(module, "ScatterPlan",
                          "Keys sorted once, to reduce many arrays by them with bit-identical results every time.")
      .def(nb::init<nb::handle, std::int64_t>(), "keys"_a, "n_keys"_a)
      .def_prop_ro("n_keys", &ScatterPlan::n_keys)
      .def_prop_ro("size", &ScatterPlan::size, "The number of keys.")
      .def("scatter", &ScatterPlan::scatter, "values"_a, "reduction"_a = "sum", nb::kw_only(), "out"_a = nb::none(),
           "counts"_a = nb::none(), "arguments"_a = nb::none(), "Like rafter.scatter() with the keys of the plan.")
      .def("gradient", &ScatterPlan::gradient, "out_gradient"_a, "reduction"_a = "sum", nb::kw_only(),
           "counts"_a = nb::none(), "arguments"_a = nb::none(), "gradient"_a = nb::none(),
           "Like rafter.scatter_gradient() with the keys of the plan.");
}

}  // namespace rafter::python
