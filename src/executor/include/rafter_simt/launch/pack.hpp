// Values of several types, as arguments of a launch. Not std::tuple: its header includes std::array, and a program with
// `using namespace std` may have an array of its own; nvcc's headers do not include it.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace rafter_simt {

template <std::size_t, class T>
struct PackElement {
  T value;
};

template <class Indices, class... T>
struct IndexedPack;

template <std::size_t... index, class... T>
struct IndexedPack<std::index_sequence<index...>, T...> : PackElement<index, T>... {
  /// Calls `function` with all values.
  template <class Function>
  decltype(auto) apply(Function&& function) {
    return function(static_cast<PackElement<index, T>&>(*this).value...);
  }
};

template <class... T>
struct Pack : IndexedPack<std::index_sequence_for<T...>, T...> {};

template <class... T>
Pack<std::decay_t<T>...> make_pack(T&&... values) {
  return {{{static_cast<T&&>(values)}...}};
}

}  // namespace rafter_simt
