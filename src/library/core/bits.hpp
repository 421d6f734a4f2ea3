// Elements as unsigned integers of their size, for ops that only move them: one function serves all types of a size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "rafter/types.hpp"

namespace rafter::core {

/// The unsigned integer of `Bytes` bytes.
template <std::size_t Bytes>
using UnsignedOf =
    std::conditional_t<Bytes == 2, std::uint16_t, std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>;

/// The unsigned integer of T's size.
template <class T>
using BitsOf = UnsignedOf<sizeof(T)>;

/// All types that BitsOf can be.
using BitsTypes = Types<std::uint16_t, std::uint32_t, std::uint64_t>;

template <class T>
std::span<BitsOf<T>> bits_of(std::span<T> array) {
  static_assert(sizeof(T) == sizeof(BitsOf<T>));
  return {reinterpret_cast<BitsOf<T>*>(array.data()), array.size()};
}
template <class T>
std::span<const BitsOf<T>> bits_of(std::span<const T> array) {
  static_assert(sizeof(T) == sizeof(BitsOf<T>));
  return {reinterpret_cast<const BitsOf<T>*>(array.data()), array.size()};
}

}  // namespace rafter::core
