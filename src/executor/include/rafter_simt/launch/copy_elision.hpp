// Replaces copy elision for objects constructed in place from a function's return value: in a checked build the result
// is copied, which is a store that the instrumentation reports.
#pragma once

#include <type_traits>

namespace rafter_simt {

/// Returns the call's result. Results of at most 16 bytes are returned in registers and stored anyway.
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
