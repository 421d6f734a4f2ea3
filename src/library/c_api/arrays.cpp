// Ops on arrays: elementwise ones, reductions, filters, gather.
#include <cmath>
#include <limits>
#include <vector>

#include "library/c_api/tensors.hpp"
#include "rafter/elementwise.hpp"
#include "rafter/extrema.hpp"
#include "rafter/fill.hpp"
#include "rafter/filter.hpp"
#include "rafter/filter_columns.hpp"
#include "rafter/gather.hpp"
#include "rafter/mul_add.hpp"
#include "rafter/scan.hpp"
#include "rafter/sum.hpp"

namespace rafter::c_api {

namespace {

/// Returns a number of the caller as an element of T.
template <class T>
T element_of(const Function& function, const char* argument, const rafter_scalar& number) {
  if constexpr (core::is_float<T>) {
    if (number.integer != 0)
      refuse(function, argument, "should have its number in `real`: elements are floating-point");
    return static_cast<T>(number.real);
  } else {
    if (number.real != 0 || std::isnan(number.real))
      refuse(function, argument, "should have its number in `integer`: elements are integers");
    if (number.integer < std::numeric_limits<T>::min() || number.integer > std::numeric_limits<T>::max())
      refuse(function, argument,
             "should fit " + std::to_string(8 * sizeof(T)) + " bits, is " + std::to_string(number.integer));
    return static_cast<T>(number.integer);
  }
}

template <class Op>
rafter_status prefix_sums(const Function& name, const Op& op, const rafter_stream* stream, const rafter_tensor* in,
                          const rafter_tensor* out) noexcept {
  return guarded(name, [&](const Function& function) {
    const Tensors given(function, stream);
    given.for_type(ScanTypes{}, "in", in, [&]<class T>() {
      const auto elements = given.array<const T>("in", in, {any});
      given.require_same_shape("out", out, *in);
      op(given.stream(), elements, given.array<T>("out", out));
    });
  });
}

/// minimum and maximum write an element, argmin and argmax its index.
template <class Op>
rafter_status extreme_element(const Function& name, const Op& op, const rafter_stream* stream, const rafter_tensor* in,
                              const rafter_tensor* out) noexcept {
  return guarded(name, [&](const Function& function) {
    const Tensors given(function, stream);
    given.for_type(ExtremaTypes{}, "in", in, [&]<class T>() {
      op(given.stream(), given.array<const T>("in", in), given.element<T>("out", out));
    });
  });
}
template <class Op>
rafter_status extreme_index(const Function& name, const Op& op, const rafter_stream* stream, const rafter_tensor* in,
                            const rafter_tensor* index) noexcept {
  return guarded(name, [&](const Function& function) {
    const Tensors given(function, stream);
    given.for_type(ExtremaTypes{}, "in", in, [&]<class T>() {
      op(given.stream(), given.array<const T>("in", in), given.element<std::int64_t>("index", index));
    });
  });
}

/// Calls body(condition, order, elements) for a filter by `in`, [n].
template <class Body>
void for_filter(const Function& function, const Tensors& given, const char* argument, const rafter_tensor* in,
                const rafter_predicate* keep, std::int32_t order, const Body& body) {
  const auto predicate = read_struct(function, "keep", keep, sizeof(rafter_predicate));
  const auto op = enumerator(function, "keep.op", predicate.op, CompareOp::not_equal);
  const auto operand = enumerator(function, "keep.operand", predicate.operand, CompareOperand::magnitude);
  const auto kept_order = enumerator(function, "order", order, FilterOrder::any);
  given.for_type(FilterTypes{}, argument, in, [&]<class T>() {
    const Predicate<T> condition{op, element_of<T>(function, "keep.bound", predicate.bound), operand};
    body(condition, kept_order, given.array<const T>(argument, in, {any}));
  });
}

/// Returns a column of any type of 2, 4 or 8 bytes.
FilterColumn filter_column(const Function& function, const Tensors& given, const std::string& name,
                           const rafter_filter_column& column) {
  const std::string in_name = name + ".in", out_name = name + ".out";
  const auto in = given.array<const std::byte>(in_name.c_str(), column.in, {any});
  const auto out = given.array<std::byte>(out_name.c_str(), column.out, {any});
  const rafter_dtype type = column.in->dtype, out_type = column.out->dtype;
  if (type.code != out_type.code || type.bits != out_type.bits || type.lanes != out_type.lanes)
    refuse(function, out_name.c_str(), "should be " + type_name(type) + ", is " + type_name(out_type));
  const auto of = [&]<class Bits>(Bits) {
    return FilterColumn(DeviceSpan<const Bits>::unchecked(reinterpret_cast<const Bits*>(in.data()), in.size()),
                        DeviceSpan<Bits>::unchecked(reinterpret_cast<Bits*>(out.data()), out.size()));
  };
  switch (type.bits * type.lanes) {
    case 16: return of(std::uint16_t{});
    case 32: return of(std::uint32_t{});
    case 64: return of(std::uint64_t{});
    default: refuse(function, in_name.c_str(), "should have elements of 2, 4 or 8 bytes, is " + type_name(type));
  }
}

std::vector<FilterColumn> filter_columns_of(const Function& function, const Tensors& given,
                                            const rafter_filter_column* columns, std::int32_t n_columns) {
  if (n_columns < 0 || n_columns > max_filter_columns)
    refuse(function, "n_columns",
           "should be between 0 and " + std::to_string(max_filter_columns) + ", is " + std::to_string(n_columns));
  std::vector<FilterColumn> all;
  for (std::int32_t i = 0; i < n_columns; ++i) {
    const rafter_filter_column& column = (&required(function, "columns", columns))[i];
    all.push_back(filter_column(function, given, "columns[" + std::to_string(i) + "]", column));
  }
  return all;
}

/// Returns the treatment of indices out of range; only reports have a place for the bad ones, int64 [2].
OutOfRange out_of_range_of(const Function& function, const Tensors& given, std::int32_t kind,
                           const rafter_tensor* bad) {
  const auto wanted = enumerator(function, "out_of_range", kind, OutOfRange::Kind::trust);
  if (wanted != OutOfRange::Kind::report && bad != nullptr)
    refuse(function, "bad", "should be null unless out_of_range is RAFTER_INDEX_REPORT");
  switch (wanted) {
    case OutOfRange::Kind::report: {
      static_assert(sizeof(BadIndices) == 2 * sizeof(std::int64_t));
      auto* const report = reinterpret_cast<BadIndices*>(given.array<std::int64_t>("bad", bad, {2}).data());
      return OutOfRange::report(DeviceSpan<BadIndices>::unchecked(report, 1));
    }
    case OutOfRange::Kind::clamp: return OutOfRange::clamp();
    case OutOfRange::Kind::zero: return OutOfRange::zero();
    case OutOfRange::Kind::trust: break;
  }
  return OutOfRange::trust();
}

}  // namespace

}  // namespace rafter::c_api

namespace c = rafter::c_api;

rafter_status rafter_fill(const rafter_stream* stream, rafter_scalar value, const rafter_tensor* out) noexcept {
  return c::guarded(c::Function("rafter_fill"), [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    given.for_type(rafter::FillTypes{}, "out", out, [&]<class T>() {
      rafter::fill(given.stream(), c::element_of<T>(function, "value", value), given.array<T>("out", out));
    });
  });
}

rafter_status rafter_mul_add(const rafter_stream* stream, const rafter_tensor* a, const rafter_tensor* b,
                             const rafter_tensor* c_, const rafter_tensor* out) noexcept {
  return c::guarded(c::Function("rafter_mul_add"), [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    given.for_type(rafter::MulAddTypes{}, "a", a, [&]<class T>() {
      const auto elements = given.array<const T>("a", a);
      given.require_same_shape("b", b, *a);
      given.require_same_shape("c", c_, *a);
      given.require_same_shape("out", out, *a);
      rafter::mul_add(given.stream(), elements, given.array<const T>("b", b), given.array<const T>("c", c_),
                      given.array<T>("out", out));
    });
  });
}

rafter_status rafter_multiply(const rafter_stream* stream, const rafter_tensor* a, const rafter_tensor* b,
                              const rafter_tensor* out) noexcept {
  return c::guarded(c::Function("rafter_multiply"), [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    given.for_type(rafter::ElementwiseTypes{}, "a", a, [&]<class T>() {
      const auto elements = given.array<const T>("a", a);
      given.require_same_shape("b", b, *a);
      given.require_same_shape("out", out, *a);
      rafter::multiply(given.stream(), elements, given.array<const T>("b", b), given.array<T>("out", out));
    });
  });
}

rafter_status rafter_scale(const rafter_stream* stream, const rafter_tensor* a, rafter_scalar factor,
                           const rafter_tensor* out) noexcept {
  return c::guarded(c::Function("rafter_scale", "multiply"), [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    given.for_type(rafter::ElementwiseTypes{}, "a", a, [&]<class T>() {
      const auto elements = given.array<const T>("a", a);
      given.require_same_shape("out", out, *a);
      rafter::multiply(given.stream(), elements, c::element_of<T>(function, "factor", factor),
                       given.array<T>("out", out));
    });
  });
}

rafter_status rafter_convert(const rafter_stream* stream, const rafter_tensor* in, const rafter_tensor* out) noexcept {
  return c::guarded(c::Function("rafter_convert"), [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    given.for_type(rafter::ElementwiseTypes{}, "in", in, [&]<class From>() {
      given.for_type(rafter::ElementwiseTypes{}, "out", out, [&]<class To>() {
        const auto elements = given.array<const From>("in", in);
        given.require_same_shape("out", out, *in);
        rafter::convert(given.stream(), elements, given.array<To>("out", out));
      });
    });
  });
}

rafter_status rafter_iota(const rafter_stream* stream, rafter_scalar start, rafter_scalar step,
                          const rafter_tensor* out) noexcept {
  return c::guarded(c::Function("rafter_iota"), [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    given.for_type(rafter::ElementwiseTypes{}, "out", out, [&]<class T>() {
      rafter::iota(given.stream(), c::element_of<T>(function, "start", start), c::element_of<T>(function, "step", step),
                   given.array<T>("out", out, {c::any}));
    });
  });
}

rafter_status rafter_minimum(const rafter_stream* stream, const rafter_tensor* in, const rafter_tensor* out) noexcept {
  return c::extreme_element(c::Function("rafter_minimum"), rafter::minimum, stream, in, out);
}
rafter_status rafter_maximum(const rafter_stream* stream, const rafter_tensor* in, const rafter_tensor* out) noexcept {
  return c::extreme_element(c::Function("rafter_maximum"), rafter::maximum, stream, in, out);
}
rafter_status rafter_argmin(const rafter_stream* stream, const rafter_tensor* in, const rafter_tensor* index) noexcept {
  return c::extreme_index(c::Function("rafter_argmin"), rafter::argmin, stream, in, index);
}
rafter_status rafter_argmax(const rafter_stream* stream, const rafter_tensor* in, const rafter_tensor* index) noexcept {
  return c::extreme_index(c::Function("rafter_argmax"), rafter::argmax, stream, in, index);
}

rafter_status rafter_sum(const rafter_stream* stream, const rafter_tensor* in, const rafter_tensor* out) noexcept {
  return c::guarded(c::Function("rafter_sum"), [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    given.for_type(rafter::SumTypes{}, "in", in, [&]<class T>() {
      rafter::sum(given.stream(), given.array<const T>("in", in), given.element<rafter::SumResult<T>>("out", out));
    });
  });
}

rafter_status rafter_inclusive_sum(const rafter_stream* stream, const rafter_tensor* in,
                                   const rafter_tensor* out) noexcept {
  return c::prefix_sums(c::Function("rafter_inclusive_sum"), rafter::inclusive_sum, stream, in, out);
}

rafter_status rafter_exclusive_sum(const rafter_stream* stream, const rafter_tensor* in,
                                   const rafter_tensor* out) noexcept {
  return c::prefix_sums(c::Function("rafter_exclusive_sum"), rafter::exclusive_sum, stream, in, out);
}

rafter_status rafter_filter(const rafter_stream* stream, const rafter_tensor* in, const rafter_predicate* keep,
                            int32_t order, const rafter_tensor* out, const rafter_tensor* count) noexcept {
  return c::guarded(c::Function("rafter_filter"), [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    c::for_filter(function, given, "in", in, keep, order,
                  [&]<class T>(const rafter::Predicate<T>& condition, rafter::FilterOrder kept_order,
                               rafter::DeviceSpan<const T> elements) {
                    rafter::filter(given.stream(), elements, condition, kept_order,
                                   given.array<T>("out", out, {c::any}), given.element<std::int64_t>("count", count));
                  });
  });
}

rafter_status rafter_filter_indices(const rafter_stream* stream, const rafter_tensor* in, const rafter_predicate* keep,
                                    int32_t order, const rafter_tensor* indices, const rafter_tensor* count) noexcept {
  return c::guarded(c::Function("rafter_filter_indices"), [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    c::for_filter(function, given, "in", in, keep, order,
                  [&]<class T>(const rafter::Predicate<T>& condition, rafter::FilterOrder kept_order,
                               rafter::DeviceSpan<const T> elements) {
                    given.for_type(rafter::FilterIndexTypes{}, "indices", indices, [&]<class I>() {
                      rafter::filter_indices(given.stream(), elements, condition, kept_order,
                                             given.array<I>("indices", indices, {c::any}),
                                             given.element<std::int64_t>("count", count));
                    });
                  });
  });
}

rafter_status rafter_filter_columns(const rafter_stream* stream, const rafter_tensor* key, const rafter_predicate* keep,
                                    int32_t order, const rafter_filter_column* columns, int32_t n_columns,
                                    const rafter_tensor* count) noexcept {
  return c::guarded(c::Function("rafter_filter_columns"), [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    const auto kept = c::filter_columns_of(function, given, columns, n_columns);
    c::for_filter(function, given, "key", key, keep, order,
                  [&]<class T>(const rafter::Predicate<T>& condition, rafter::FilterOrder kept_order,
                               rafter::DeviceSpan<const T> keys) {
                    rafter::filter_columns(given.stream(), keys, condition, kept_order, kept,
                                           given.element<std::int64_t>("count", count));
                  });
  });
}

rafter_status rafter_gather(const rafter_stream* stream, const rafter_tensor* table, const rafter_tensor* indices,
                            int32_t out_of_range, const rafter_tensor* out, const rafter_tensor* bad) noexcept {
  return c::guarded(c::Function("rafter_gather"), [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    given.for_type(rafter::GatherTypes{}, "table", table, [&]<class T>() {
      given.for_type(rafter::GatherIndexTypes{}, "indices", indices, [&]<class I>() {
        const auto elements = given.array<const T>("table", table, {c::any});
        given.require_same_shape("out", out, *indices);
        rafter::gather(given.stream(), elements, given.array<const I>("indices", indices),
                       c::out_of_range_of(function, given, out_of_range, bad), given.array<T>("out", out));
      });
    });
  });
}
