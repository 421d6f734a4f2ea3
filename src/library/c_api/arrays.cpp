// Ops on arrays: fill, mul_add, sums, filter, gather.
#include <cmath>
#include <limits>

#include "library/c_api/tensors.hpp"
#include "rafter/fill.hpp"
#include "rafter/filter.hpp"
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
    const auto predicate = c::read_struct(function, "keep", keep, sizeof(rafter_predicate));
    const auto op = c::enumerator(function, "keep.op", predicate.op, rafter::CompareOp::not_equal);
    const auto operand = c::enumerator(function, "keep.operand", predicate.operand, rafter::CompareOperand::magnitude);
    const auto kept_order = c::enumerator(function, "order", order, rafter::FilterOrder::any);
    given.for_type(rafter::FilterTypes{}, "in", in, [&]<class T>() {
      const rafter::Predicate<T> condition{op, c::element_of<T>(function, "keep.bound", predicate.bound), operand};
      rafter::filter(given.stream(), given.array<const T>("in", in, {c::any}), condition, kept_order,
                     given.array<T>("out", out, {c::any}), given.element<std::int64_t>("count", count));
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
