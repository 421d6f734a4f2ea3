// Lists of element types, and overload sets generated from them.
#pragma once

namespace rafter::inline v1 {

/// The element types of an op.
template <class... T>
struct Types {};

/// A function object with the call operators of all F.
template <class... F>
struct Overloads : F... {
  using F::operator()...;
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
