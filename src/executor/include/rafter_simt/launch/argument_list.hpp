// The arguments of a launch, listed for reports: a finding names the argument whose array it is about.
//
// A closure that runs a kernel begins with RAFTER_SIMT_LIST and its arguments in parentheses. In a checked build the
// runtime calls it once more when it has a finding to report, with rafter_simt_listing set.
#pragma once

#include <cstddef>
#include <type_traits>

#include "rafter_simt/abi.hpp"

namespace rafter_simt {

template <class T, class = void>
struct ElementBytes {
  static constexpr std::size_t value = 0;
};
template <class T>
struct ElementBytes<T, std::enable_if_t<std::is_object<T>::value && (sizeof(T) > 0)>> {
  static constexpr std::size_t value = sizeof(T);
};

template <class T>
__attribute__((no_sanitize("thread"))) void list_argument(ArgumentList& list, const T& value) {
  if (list.n == ArgumentList::most) return;
  Argument& made = list.all[list.n++];
  if constexpr (std::is_pointer<T>::value) {
    using Element = std::remove_pointer_t<T>;
    made = {(const void*)value, 0, ElementBytes<Element>::value, std::is_const<Element>::value};
  } else {
    made = {__builtin_addressof(value), sizeof value, 0, 0};
  }
}

template <class... Arguments>
__attribute__((no_sanitize("thread"))) void list_all(ArgumentList& list, const Arguments&... values) {
  list.n = 0;
  (list_argument(list, values), ...);
}

/// Called with the arguments in place of the kernel.
struct Listing {
  ArgumentList* list;

  template <class... Arguments>
  __attribute__((no_sanitize("thread"))) void operator()(const Arguments&... values) const {
    list_all(*list, values...);
  }
};

}  // namespace rafter_simt

#ifdef RAFTER_SIMT_CHECKED
#define RAFTER_SIMT_LIST(...) \
  if (rafter_simt_listing) return ::rafter_simt::Listing{rafter_simt_listing} __VA_ARGS__
#else
#define RAFTER_SIMT_LIST(...) static_cast<void>(0)
#endif
