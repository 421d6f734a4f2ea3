// Dynamic shared memory: the replacement of `extern __shared__ T name[];`.
#pragma once

#include "rafter_simt/abi.hpp"

namespace rafter_simt {

// Out of line and not instrumented in a checked build: this reads the runtime's variable, not the program's.
#ifdef RAFTER_SIMT_CHECKED
__attribute__((noinline, no_sanitize("thread"))) inline void* dynamic_shared() {
  return rafter_simt_now.dynamic_shared;
}
#else
inline void* dynamic_shared() { return rafter_simt_now.dynamic_shared; }
#endif

/// Replaces an array declared outside functions; each block has its own.
template <class T>
struct DynamicShared {
  operator T*() const { return static_cast<T*>(dynamic_shared()); }
  T* operator+() const { return *this; }
  T* operator&() const { return *this; }
};

}  // namespace rafter_simt
