// Loads and stores of lanes. Accesses to consecutive elements become one vector access.
#pragma once

#include <utility>

#include "rafter_simt/lanes/operators.hpp"

namespace rafter_simt::lanes {

/// Returns the lanes of values that were read or computed one by one.
template <class T>
RAFTER_SIMT_LANES auto gathered(const T (&values)[n_lanes]) {
  if constexpr (std::is_same<T, bool>::value) {
    Mask result;
    for (int i = 0; i < n_lanes; ++i) result.bits.set(i, values[i] ? -1 : 0);
    return result;
  } else if constexpr (std::is_class<T>::value) {
    constexpr bool has_z = n_members<T> != 2, has_w = n_members<T> == 4;
    Lanes<T> result;
    for (int i = 0; i < n_lanes; ++i) {
      result.x.v.set(i, values[i].x), result.y.v.set(i, values[i].y);
      if constexpr (has_z) result.z.v.set(i, values[i].z);
      if constexpr (has_w) result.w.v.set(i, values[i].w);
    }
    return result;
  } else {
    using P = Promoted<T>;
    Lanes<P> result;
    for (int i = 0; i < n_lanes; ++i) result.v.set(i, static_cast<P>(values[i]));
    return result;
  }
}

/// Whether lanes access consecutive elements: an unsigned index may wrap around before it becomes an address.
template <class T>
RAFTER_SIMT_LANES bool is_row(Linear<T> index) {
  return std::is_signed<T>::value || index.first <= static_cast<T>(-1) - n_lanes;
}

struct Whole {
  template <class T>
  RAFTER_SIMT_LANES T& operator()(T& element) const {
    return element;
  }
};

template <class T, class F, std::size_t... lane>
RAFTER_SIMT_LANES Part<T> filled(F value, std::index_sequence<lane...>) {
  return Part<T>{static_cast<T>(value(static_cast<int>(lane)))...};
}

/// Loads consecutive elements; types narrower than int are promoted.
template <class T>
RAFTER_SIMT_LANES Lanes<Promoted<T>> load_row(const T* first) {
  typedef T Row __attribute__((vector_size(sizeof(T) * lanes_per_register)));
  return Lanes<Promoted<T>>(by_parts<Promoted<T>>([&](int p) RAFTER_SIMT_LAMBDA {
    Row row;
    __builtin_memcpy(&row, first + p * lanes_per_register, sizeof(row));
    return __builtin_convertvector(row, Part<Promoted<T>>);
  }));
}

/// Loads elements[index], or the part of it that `part` selects.
template <class T, class I, class Named = Whole>
RAFTER_SIMT_LANES auto load(Mask mask, const T* elements, const I& index, Named part = {}) {
  using E = std::decay_t<decltype(part(*elements))>;
  constexpr bool is_number = std::is_arithmetic<E>::value && !std::is_same<E, bool>::value;
  if constexpr (is_linear<I> && is_number && std::is_same<Named, Whole>::value) {
    if (is_row(index) && all(mask)) return load_row(elements + index.first);
  }
  if constexpr (is_number) {
    if (all(mask)) {
      return Lanes<Promoted<E>>(by_parts<Promoted<E>>([&](int p) RAFTER_SIMT_LAMBDA {
        return filled<Promoted<E>>(
            [&](int i) RAFTER_SIMT_LAMBDA { return part(elements[lane(index, p * lanes_per_register + i)]); },
            std::make_index_sequence<lanes_per_register>());
      }));
    }
  }
  E values[n_lanes]{};
  for (int i = 0; i < n_lanes; ++i) {
    if (mask.has(i)) values[i] = part(elements[lane(index, i)]);
  }
  return gathered(values);
}

/// Stores elements[index] = value, lane by lane in ascending order.
template <class T, class I, class V, class Named = Whole>
RAFTER_SIMT_LANES void store(Mask mask, T* elements, const I& index, const V& value, Named part = {}) {
  using E = std::decay_t<decltype(part(*elements))>;
  constexpr bool whole = std::is_same<Named, Whole>::value;
  if constexpr (is_linear<I> && whole && std::is_arithmetic<E>::value && sizeof(E) >= 4) {
    if (is_row(index) && all(mask)) {
      const Lanes<E> row(value);
      __builtin_memcpy(elements + index.first, &row.v, sizeof(row.v));
      return;
    }
  }
  for (int i = 0; i < n_lanes; ++i) {
    if (mask.has(i)) part(elements[lane(index, i)]) = static_cast<E>(lane(value, i));
  }
}

/// Computes elements[index] = change(mask, elements[index], value), lane after lane, because lanes may access the same
/// element.
template <class T, class I, class V, class Change, class Named = Whole>
RAFTER_SIMT_LANES void update(Mask mask, T* elements, const I& index, const V& value, Change change, Named part = {}) {
  if constexpr (is_linear<I>) {
    if (is_row(index))
      return store(mask, elements, index, change(mask, load(mask, elements, index, part), value), part);
  }
  for (int i = 0; i < n_lanes; ++i) {
    if (!mask.has(i)) continue;
    auto& element = part(elements[lane(index, i)]);
    element = static_cast<std::decay_t<decltype(element)>>(change(mask, element, lane(value, i)));
  }
}

}  // namespace rafter_simt::lanes
