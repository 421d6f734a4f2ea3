// Ops on arrays of any shape: fills, products, conversions, reductions, prefix sums, gathers.
#include <nanobind/stl/string.h>

#include "call.hpp"
#include "modules.hpp"

namespace rafter::python {

using namespace nb::literals;

namespace {

nb::object fill(nb::handle out, nb::handle value) {
  Call call("fill");
  const Array& to = call.out("out", out);
  const rafter_scalar number = scalar("fill", "value", value, to.tensor()->dtype);
  call.run([&](rafter_stream* stream) { return rafter_fill(stream, number, to.tensor()); });
  return nb::borrow(out);
}

nb::object iota(nb::handle out, nb::handle start, nb::handle step) {
  Call call("iota");
  const Array& to = call.out("out", out);
  const rafter_scalar first = scalar("iota", "start", start, to.tensor()->dtype);
  const rafter_scalar distance = scalar("iota", "step", step, to.tensor()->dtype);
  call.run([&](rafter_stream* stream) { return rafter_iota(stream, first, distance, to.tensor()); });
  return nb::borrow(out);
}

nb::object mul_add(nb::handle a, nb::handle b, nb::handle c, nb::handle out) {
  Call call("mul_add");
  const Array& first = call.in("a", a);
  const rafter_tensor* const second = call.in("b", b).tensor();
  const rafter_tensor* const third = call.in("c", c).tensor();
  const auto to = call.result("out", out, first.tensor()->dtype, first.shape());
  call.run([&](rafter_stream* stream) { return rafter_mul_add(stream, first.tensor(), second, third, to.tensor()); });
  return to.object;
}

nb::object multiply(nb::handle a, nb::handle b, nb::handle out) {
  Call call("multiply");
  const Array& first = call.in("a", a);
  const bool is_number = PyFloat_Check(b.ptr()) || PyLong_Check(b.ptr());
  const rafter_scalar factor = is_number ? scalar("multiply", "b", b, first.tensor()->dtype) : rafter_scalar{};
  const rafter_tensor* const second = is_number ? nullptr : call.in("b", b).tensor();
  const auto to = call.result("out", out, first.tensor()->dtype, first.shape());
  call.run([&](rafter_stream* stream) {
    return is_number ? rafter_scale(stream, first.tensor(), factor, to.tensor())
                     : rafter_multiply(stream, first.tensor(), second, to.tensor());
  });
  return to.object;
}

nb::object convert(nb::handle x, nb::handle dtype, nb::handle out) {
  Call call("convert");
  if (dtype.is_none() == out.is_none()) throw nb::type_error("convert: pass either dtype or out");
  const Array& from = call.in("x", x);
  const rafter_dtype type = dtype.is_none() ? rafter_dtype{} : type_of("convert: dtype", dtype);
  const auto to = call.result("out", out, type, from.shape());
  call.run([&](rafter_stream* stream) { return rafter_convert(stream, from.tensor(), to.tensor()); });
  return to.object;
}

/// A reduction to one element, of the type of `x` or another.
using Reduction = rafter_status (*)(const rafter_stream*, const rafter_tensor*, const rafter_tensor*);

template <class ResultType>
nb::object reduce(const char* op, Reduction function, nb::handle x, nb::handle out, ResultType&& result_type) {
  Call call(op);
  const Array& from = call.in("x", x);
  const auto to = call.result("out", out, result_type(from.tensor()->dtype), {});
  call.run([&](rafter_stream* stream) { return function(stream, from.tensor(), to.tensor()); });
  return to.element();
}

rafter_dtype type_of_sum(const rafter_dtype& type) { return type.code == RAFTER_TYPE_INT ? int64_type : type; }
rafter_dtype same_type(const rafter_dtype& type) { return type; }
rafter_dtype index_type(const rafter_dtype&) { return int64_type; }

nb::object scan(const char* op, Reduction function, nb::handle x, nb::handle out) {
  Call call(op);
  const Array& from = call.in("x", x);
  const auto to = call.result("out", out, from.tensor()->dtype, from.shape());
  call.run([&](rafter_stream* stream) { return function(stream, from.tensor(), to.tensor()); });
  return to.object;
}

nb::object gather(nb::handle table, nb::handle indices, const std::string& out_of_range, nb::handle out) {
  Call call("gather");
  const int mode = choice("gather", "out_of_range", out_of_range, {"raise", "clamp", "zero", "trust"});
  const Array& from = call.in("table", table);
  const Array& at = call.in("indices", indices);
  const auto to = call.result("out", out, from.tensor()->dtype, at.shape());
  if (mode != RAFTER_INDEX_REPORT) {
    call.run([&](rafter_stream* stream) {
      return rafter_gather(stream, from.tensor(), at.tensor(), mode, to.tensor(), nullptr);
    });
    return to.object;
  }
  HostIntegers<2> bad(call, from);
  call.run([&](rafter_stream* stream) {
    return rafter_gather(stream, from.tensor(), at.tensor(), mode, to.tensor(), bad.tensor());
  });
  if (const std::int64_t count = bad.read(0); count > 0)
    throw nb::index_error(("gather: " + std::to_string(count) + " of indices, the first at position " +
                           std::to_string(bad.read(1)) + ", should be between 0 and " + std::to_string(from.size() - 1))
                              .c_str());
  return to.object;
}

}  // namespace

void add_array_ops(nb::module_& module) {
  module.def("fill", &fill, "out"_a, "value"_a, "Sets all elements of out to value. Returns out.");
  module.def("iota", &iota, "out"_a, "start"_a = 0, "step"_a = 1, "Sets out[i] to start + i * step. Returns out.");
  module.def("mul_add", &mul_add, "a"_a, "b"_a, "c"_a, nb::kw_only(), "out"_a = nb::none(),
             "Returns a * b + c, rounded once where the hardware can.");
  module.def("multiply", &multiply, "a"_a, "b"_a, nb::kw_only(), "out"_a = nb::none(),
             "Returns a * b; b is an array of the type and shape of a, or a number.");
  module.def("convert", &convert, "x"_a, "dtype"_a = nb::none(), nb::kw_only(), "out"_a = nb::none(),
             "Returns the elements of x converted to dtype, or to the type of out. Numbers out of the range of an "
             "integer type become its least or greatest one, NaN becomes 0.");
  module.def(
      "sum", [](nb::handle x, nb::handle out) { return reduce("sum", rafter_sum, x, out, type_of_sum); }, "x"_a,
      nb::kw_only(), "out"_a = nb::none(), "Returns the sum of all elements, int64 for integers. Deterministic.");
  module.def(
      "minimum", [](nb::handle x, nb::handle out) { return reduce("minimum", rafter_minimum, x, out, same_type); },
      "x"_a, nb::kw_only(), "out"_a = nb::none(), "Returns the least element. NaN propagates; -0 is less than +0.");
  module.def(
      "maximum", [](nb::handle x, nb::handle out) { return reduce("maximum", rafter_maximum, x, out, same_type); },
      "x"_a, nb::kw_only(), "out"_a = nb::none(), "Returns the greatest element. NaN propagates; -0 is less than +0.");
  module.def(
      "argmin", [](nb::handle x, nb::handle out) { return reduce("argmin", rafter_argmin, x, out, index_type); }, "x"_a,
      nb::kw_only(), "out"_a = nb::none(), "Returns the index of the first least element, in row-major order.");
  module.def(
      "argmax", [](nb::handle x, nb::handle out) { return reduce("argmax", rafter_argmax, x, out, index_type); }, "x"_a,
      nb::kw_only(), "out"_a = nb::none(), "Returns the index of the first greatest element, in row-major order.");
  module.def(
      "inclusive_sum", [](nb::handle x, nb::handle out) { return scan("inclusive_sum", rafter_inclusive_sum, x, out); },
      "x"_a, nb::kw_only(), "out"_a = nb::none(), "Returns the prefix sums x[0] + ... + x[i]. out may be x.");
  module.def(
      "exclusive_sum", [](nb::handle x, nb::handle out) { return scan("exclusive_sum", rafter_exclusive_sum, x, out); },
      "x"_a, nb::kw_only(), "out"_a = nb::none(), "Returns the prefix sums x[0] + ... + x[i - 1]. out may be x.");
  module.def("gather", &gather, "table"_a, "indices"_a, "out_of_range"_a = "raise", nb::kw_only(), "out"_a = nb::none(),
             "Returns table[indices]. Indices out of range raise IndexError ('raise', which waits for a GPU), take the "
             "first or last element ('clamp'), give 0 ('zero'), or are undefined behaviour ('trust').");
}

}  // namespace rafter::python
