// What the rewriter makes of an object that is made in place from what a function returns: in a checked build the
// result is copied there, which is a store that the hooks see.
#pragma once

#include <type_traits>

namespace rafter_simt {

/// Results of at most 16 bytes come in registers, and are stored anyway.
template <class Call>
__attribute__((always_inline)) constexpr auto returned(Call call) -> decltype(call()) {
#ifdef RAFTER_SIMT_CHECKED
  using Result = decltype(call());
  if constexpr (std::is_class<Result>::value && std::is_trivially_copyable<Result>::value && sizeof(Result) > 16) {
    Result value = call();
    return value;
  }
#endif
  return call();
}

}  // namespace rafter_simt
