// Lists of element types, and overload sets generated from them.
#pragma once

#include <concepts>
#include <span>
#include <type_traits>
#include <utility>

#include "rafter/device_span.hpp"
#include "rafter/stream.hpp"

namespace rafter::inline v1 {

/// The element types of an op.
template <class... T>
struct Types {};

namespace detail {

/// An array argument of an op on a CpuStream: an array of the host, a pointer to a single result, or a DeviceSpan.
template <class T>
class CpuSpan {
 public:
  template <class Range>
  requires std::is_convertible_v<Range, std::span<T>> CpuSpan(Range&& range)
      : elements_(DeviceSpan<T>::unchecked(std::span<T>(std::forward<Range>(range)))) {}
  template <class Array>
  requires std::is_convertible_v<Array, DeviceSpan<T>> CpuSpan(Array&& array) : elements_(array) {}
  template <class Pointer>
  requires(std::is_same_v<Pointer, T*> && !std::is_const_v<T>) CpuSpan(const Pointer& result)
      : elements_(DeviceSpan<T>::unchecked(result, 1)) {}

  DeviceSpan<T> elements() const noexcept { return elements_; }

 private:
  DeviceSpan<T> elements_;
};

/// The argument of an op on a CpuStream in place of one of type A.
template <class A>
struct CpuArgument {
  using type = A;
  static A passed(A argument) { return argument; }
};
template <class T>
struct CpuArgument<DeviceSpan<T>> {
  using type = CpuSpan<T>;
  static DeviceSpan<T> passed(const CpuSpan<T>& argument) { return argument.elements(); }
};

/// The call operators of F for a CpuStream: with F's own arguments, and with arrays of the host in place of
/// DeviceSpans. The second is a template only because the first is then preferred where both fit.
template <class F, class Call = decltype(&F::operator())>
struct OnCpu;
template <class F, class... A>
struct OnCpu<F, void (F::*)(const Stream&, A...) const> {
  void operator()(const CpuStream& stream, A... arguments) const {
    F{}(static_cast<const Stream&>(stream), std::forward<A>(arguments)...);
  }
  template <class = void>
  void operator()(const CpuStream& stream, typename CpuArgument<A>::type... arguments) const {
    F{}(static_cast<const Stream&>(stream), CpuArgument<A>::passed(arguments)...);
  }
};

}  // namespace detail

/// A function object with the call operators of all F. On a CpuStream it also accepts arrays of the host.
template <class... F>
struct Overloads : F..., detail::OnCpu<F>... {
  using F::operator()...;
  using detail::OnCpu<F>::operator()...;
};

namespace detail {

template <class... Lists>
struct Joined {
  using type = Types<>;
};
template <class... T>
struct Joined<Types<T...>> {
  using type = Types<T...>;
};
template <class... T, class... U, class... More>
struct Joined<Types<T...>, Types<U...>, More...> : Joined<Types<T..., U...>, More...> {};

/// Types<Combination..., T> for each T.
template <class Combination, class List>
struct Extended;
template <class... C, class... T>
struct Extended<Types<C...>, Types<T...>> {
  using type = Types<Types<C..., T>...>;
};

/// All combinations of one type from each list, as lists.
template <class Combinations, class... Lists>
struct Product {
  using type = Combinations;
};
template <class... Combination, class List, class... More>
struct Product<Types<Combination...>, List, More...>
    : Product<typename Joined<typename Extended<Combination, List>::type...>::type, More...> {};

template <class... Sets>
struct JoinedOverloads;
template <class... F, class... G>
struct JoinedOverloads<Overloads<F...>, Overloads<G...>> {
  using type = Overloads<F..., G...>;
};

template <template <class...> class Into, template <class...> class Each, class Combinations>
struct Gathered;
template <template <class...> class Each, class Combination>
struct Applied;
template <template <class...> class Each, class... T>
struct Applied<Each, Types<T...>> {
  using type = Each<T...>;
};
template <template <class...> class Into, template <class...> class Each, class... Combination>
struct Gathered<Into, Each, Types<Combination...>> {
  using type = Into<typename Applied<Each, Combination>::type...>;
};

}  // namespace detail

/// Into<Each<T>...> for every T of one list. With several lists: Into<Each<T, U>...> for every combination of their
/// types.
template <template <class...> class Into, template <class...> class Each, class... Lists>
using ForTypes = typename detail::Gathered<Into, Each, typename detail::Product<Types<Types<>>, Lists...>::type>::type;

/// The overload set of Each<T> for every T of a list, or for every combination of several lists.
template <template <class...> class Each, class... Lists>
using OverloadsFor = ForTypes<Overloads, Each, Lists...>;

/// The union of two overload sets.
template <class A, class B>
using BothOverloads = typename detail::JoinedOverloads<A, B>::type;

}  // namespace rafter::inline v1
