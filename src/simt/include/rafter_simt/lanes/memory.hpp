// Loads and stores of lanes. Those of neighbouring elements are one.
#pragma once

#include "rafter_simt/lanes/operators.hpp"

namespace rafter_simt::lanes {

/// The lanes of what was read or computed one by one.
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

/// Whether lanes use neighbours: as an unsigned number it may wrap around before it becomes an address.
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

/// elements[index], or a part of it that `part` names.
template <class T, class I, class Part = Whole>
RAFTER_SIMT_LANES auto load(Mask mask, const T* elements, const I& index, Part part = {}) {
  using E = std::decay_t<decltype(part(*elements))>;
  constexpr bool whole = std::is_same<Part, Whole>::value;
  if constexpr (is_linear<I> && whole && std::is_arithmetic<E>::value && sizeof(E) >= 4) {
    if (is_row(index) && all(mask)) {
      Lanes<E> row;
      __builtin_memcpy(&row.v, elements + index.first, sizeof(row.v));
      return row;
    }
  }
  E values[n_lanes];
  if (all(mask)) {
    for (int i = 0; i < n_lanes; ++i) values[i] = part(elements[lane(index, i)]);
  } else {
    for (int i = 0; i < n_lanes; ++i) {
      if (mask.has(i)) {
        values[i] = part(elements[lane(index, i)]);
      } else {
        values[i] = E{};
      }
    }
  }
  return gathered(values);
}

/// elements[index] = value, lane by lane in their order.
template <class T, class I, class V, class Part = Whole>
RAFTER_SIMT_LANES void store(Mask mask, T* elements, const I& index, const V& value, Part part = {}) {
  using E = std::decay_t<decltype(part(*elements))>;
  constexpr bool whole = std::is_same<Part, Whole>::value;
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

/// elements[index] = change(elements[index], value): one lane after the other, as they may use the same element.
template <class T, class I, class V, class Change, class Part = Whole>
RAFTER_SIMT_LANES void update(Mask mask, T* elements, const I& index, const V& value, Change change, Part part = {}) {
  if constexpr (is_linear<I>) {
    if (is_row(index)) return store(mask, elements, index, change(load(mask, elements, index, part), value), part);
  }
  for (int i = 0; i < n_lanes; ++i) {
    if (!mask.has(i)) continue;
    auto& element = part(elements[lane(index, i)]);
    element = static_cast<std::decay_t<decltype(element)>>(change(element, lane(value, i)));
  }
}

}  // namespace rafter_simt::lanes
