// Filters: the elements that satisfy a comparison, their indices, or what belongs to them in other columns.
#include <nanobind/stl/string.h>

#include "call.hpp"
#include "modules.hpp"

namespace rafter::python {

using namespace nb::literals;

namespace {

/// The condition and order of a filter, from Python's arguments.
struct Condition {
  rafter_predicate keep{sizeof(rafter_predicate), RAFTER_LESS, RAFTER_VALUE, {}};
  int order = RAFTER_ORDER_PRESERVED;

  Condition(const char* name, const std::string& op, nb::handle bound, bool magnitude, bool ordered,
            const rafter_dtype& type) {
    keep.op = choice(name, "op", op, {"<", "<=", ">", ">=", "==", "!="});
    keep.operand = magnitude ? RAFTER_MAGNITUDE : RAFTER_VALUE;
    keep.bound = scalar(name, "bound", bound, type);
    order = ordered ? RAFTER_ORDER_PRESERVED : RAFTER_ORDER_ANY;
  }
};

nb::object front(const nb::object& array, std::int64_t n) {
  return array[nb::slice(nb::int_(0), nb::int_(n), nb::none())];
}

void require_fit(const char* name, std::int64_t n, std::int64_t capacity) {
  if (n > capacity)
    throw nb::value_error((std::string(name) + ": out should have at least " + std::to_string(n) + " elements, has " +
                           std::to_string(capacity))
                              .c_str());
}

/// Runs a filter with one output. Without `count` it returns the part that was written; with it, the output and the
/// count, without waiting for a GPU.
template <class Function>
nb::object filter_to(Call& call, const Array& from, const rafter_dtype& type, nb::handle out, nb::handle count,
                     Function&& function) {
  const auto to = call.result("out", out, type, {from.size()});
  if (!count.is_none()) {
    const rafter_tensor* const counted = call.out("count", count).tensor();
    call.run([&](rafter_stream* stream) { return function(stream, to.tensor(), counted); });
    return nb::make_tuple(to.object, count);
  }
  HostIntegers<1> counted(call, from);
  call.run([&](rafter_stream* stream) { return function(stream, to.tensor(), counted.tensor()); });
  const std::int64_t n = counted.read(0);
  require_fit(call.op(), n, to.array->size());
  return front(to.object, n);
}

nb::object filter(nb::handle x, const std::string& op, nb::handle bound, bool magnitude, bool ordered, nb::handle out,
                  nb::handle count) {
  Call call("filter");
  const Array& from = call.in("x", x);
  const Condition condition("filter", op, bound, magnitude, ordered, from.tensor()->dtype);
  return filter_to(call, from, from.tensor()->dtype, out, count,
                   [&](rafter_stream* stream, const rafter_tensor* to, const rafter_tensor* counted) {
                     return rafter_filter(stream, from.tensor(), &condition.keep, condition.order, to, counted);
                   });
}

nb::object filter_indices(nb::handle x, const std::string& op, nb::handle bound, bool magnitude, bool ordered,
                          nb::handle dtype, nb::handle out, nb::handle count) {
  Call call("filter_indices");
  const Array& from = call.in("x", x);
  const Condition condition("filter_indices", op, bound, magnitude, ordered, from.tensor()->dtype);
  return filter_to(call, from, type_of("filter_indices: dtype", dtype), out, count,
                   [&](rafter_stream* stream, const rafter_tensor* to, const rafter_tensor* counted) {
                     return rafter_filter_indices(stream, from.tensor(), &condition.keep, condition.order, to, counted);
                   });
}

nb::object filter_columns(nb::handle key, const std::string& op, nb::handle bound, nb::sequence columns, bool magnitude,
                          bool ordered) {
  Call call("filter_columns");
  const Array& by = call.in("key", key);
  const Condition condition("filter_columns", op, bound, magnitude, ordered, by.tensor()->dtype);
  std::vector<rafter_filter_column> list;
  std::vector<nb::object> kept;
  for (const nb::handle column : columns) {
    const Array& from = call.in("columns", column);
    const nb::object to = new_array("filter_columns", from, from.tensor()->dtype, {by.size()});
    kept.push_back(to);
    list.push_back({from.tensor(), call.out("columns", to).tensor()});
  }
  HostIntegers<1> counted(call, by);
  call.run([&](rafter_stream* stream) {
    return rafter_filter_columns(stream, by.tensor(), &condition.keep, condition.order, list.data(),
                                 static_cast<std::int32_t>(list.size()), counted.tensor());
  });
  const std::int64_t n = counted.read(0);
  nb::list result;
  for (const nb::object& to : kept) result.append(front(to, n));
  return result;
}

}  // namespace

void add_filters(nb::module_& module) {
  module.def("filter", &filter, "x"_a, "op"_a, "bound"_a, nb::kw_only(), "magnitude"_a = false, "ordered"_a = true,
             "out"_a = nb::none(), "count"_a = nb::none(),
             "Returns the elements of x for which x op bound holds; op is '<', '<=', '>', '>=', '==' or '!='. With "
             "count, an int64 array of one element, returns (out, count) without waiting for a GPU.");
  module.def("filter_indices", &filter_indices, "x"_a, "op"_a, "bound"_a, nb::kw_only(), "magnitude"_a = false,
             "ordered"_a = true, "dtype"_a = "int64", "out"_a = nb::none(), "count"_a = nb::none(),
             "Returns the indices of the elements of x for which x op bound holds, otherwise like filter().");
  module.def("filter_columns", &filter_columns, "key"_a, "op"_a, "bound"_a, "columns"_a, nb::kw_only(),
             "magnitude"_a = false, "ordered"_a = true,
             "Returns a list with the elements of each of at most 8 columns whose key satisfies key op bound.");
}

}  // namespace rafter::python
