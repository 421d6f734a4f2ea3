// Dynamic shared memory: what `extern __shared__ T name[];` becomes.
#pragma once

#include "rafter_simt/abi.hpp"

namespace rafter_simt {

// Out of line and unchecked in a checked build: the runtime's own variable is read here, not the program's.
#ifdef RAFTER_SIMT_CHECKED
__attribute__((noinline, no_sanitize("thread"))) inline void* dynamic_shared() {
  return rafter_simt_now.dynamic_shared;
}
#else
inline void* dynamic_shared() { return rafter_simt_now.dynamic_shared; }
#endif

/// Stands for an array declared outside of functions; each block has its own.
template <class T>
struct DynamicShared {
  operator T*() const { return static_cast<T*>(dynamic_shared()); }
  T* operator+() const { return *this; }
  T* operator&() const { return *this; }
};

}  // namespace rafter_simt
