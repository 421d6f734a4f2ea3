// The signature of extrema's rungs: their arguments and element types.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "extrema/extrema_order.hpp"
#include "library/core/dtype.hpp"
#include "library/core/rung.hpp"
#include "rafter/extrema.hpp"

namespace rafter::extrema_ladder {

enum class Extremum { least, greatest };

/// The signed integer of T's size.
template <class T>
using WordOf =
    std::conditional_t<sizeof(T) == 2, std::int16_t, std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>;

/// Returns the order in which the element searched for is the greatest.
template <class T, class Key = WordOf<T>>
constexpr Order<Key> order_of(Extremum which) {
  using Word = WordOf<T>;
  constexpr Key greatest = std::numeric_limits<Word>::max();
  constexpr int exponent_place = std::is_same_v<T, Half>       ? 10
                                 : std::is_same_v<T, Bfloat16> ? 7
                                 : sizeof(T) == 4              ? 23
                                                               : 52;
  const Key flip = which == Extremum::least ? Key{-1} : Key{0};
  if (!core::is_float<T>) return {0, greatest, flip, greatest};
  return {greatest, static_cast<Key>(greatest >> exponent_place << exponent_place), flip, greatest};
}

template <class T>
struct ExtremaArgs {
  std::span<const T> in;  // at least one element
  Extremum which;
  T* value;             // [1], or null for the index alone
  std::int64_t* index;  // [1], or null for the value alone
};

using ExtremaRung = core::RungOf<ExtremaArgs, ExtremaTypes>;

template <class T>
const WordOf<T>* words_of(const T* in) {
  return reinterpret_cast<const WordOf<T>*>(in);
}
template <class T>
WordOf<T>* words_of(T* out) {
  return reinterpret_cast<WordOf<T>*>(out);
}

}  // namespace rafter::extrema_ladder
