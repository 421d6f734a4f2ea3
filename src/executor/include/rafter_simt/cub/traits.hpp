// CUB's traits of arithmetic types, which programs may specialise for their own types.
#pragma once

#include <limits>
#include <type_traits>

namespace cub {

struct NullType;

enum Category { NOT_A_NUMBER, SIGNED_INTEGER, UNSIGNED_INTEGER, FLOATING_POINT };

/// Programs with an arithmetic type of their own specialise this and the traits below.
template <class T>
struct FpLimits {
  static T Max() { return std::numeric_limits<T>::max(); }
  static T Lowest() { return std::numeric_limits<T>::lowest(); }
};

template <Category category, bool primitive, bool null_type, class Bits, class T>
struct BaseTraits {
  using UnsignedBits = Bits;
  static constexpr Category CATEGORY = category;
  static constexpr bool PRIMITIVE = primitive, NULL_TYPE = null_type;
  static T Max() { return FpLimits<T>::Max(); }
  static T Lowest() { return FpLimits<T>::Lowest(); }
};

template <class T>
struct NumericTraits {
  using UnsignedBits =
      std::conditional_t<sizeof(T) == 1, unsigned char,
                         std::conditional_t<sizeof(T) == 2, unsigned short,
                                            std::conditional_t<sizeof(T) == 4, unsigned int, unsigned long long>>>;
  static constexpr Category CATEGORY = std::is_floating_point<T>::value ? FLOATING_POINT
                                       : !std::is_integral<T>::value    ? NOT_A_NUMBER
                                       : std::is_signed<T>::value       ? SIGNED_INTEGER
                                                                        : UNSIGNED_INTEGER;
  enum { PRIMITIVE = std::is_arithmetic<T>::value, NULL_TYPE = std::is_same<T, NullType>::value };
  static T Max() { return std::numeric_limits<T>::max(); }
  static T Lowest() { return std::numeric_limits<T>::lowest(); }
};
template <class T>
struct Traits : NumericTraits<std::remove_cv_t<T>> {};

}  // namespace cub
