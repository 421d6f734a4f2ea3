// Shuffles and votes as they were before CUDA 9, without a mask: the lanes that are active at the call take part.
#pragma once

#include "rafter_simt/warp.hpp"

#define RAFTER_SIMT_LEGACY(name, Argument)                                           \
  template <class T>                                                                 \
  [[gnu::always_inline]] inline T name(T value, Argument argument, int width = 32) { \
    return name##_sync(rafter_simt_active_mask(), value, argument, width);           \
  }
RAFTER_SIMT_LEGACY(__shfl, int)
RAFTER_SIMT_LEGACY(__shfl_up, unsigned)
RAFTER_SIMT_LEGACY(__shfl_down, unsigned)
RAFTER_SIMT_LEGACY(__shfl_xor, int)
#undef RAFTER_SIMT_LEGACY

[[gnu::always_inline]] inline unsigned __ballot(int predicate) {
  return __ballot_sync(rafter_simt_active_mask(), predicate);
}
[[gnu::always_inline]] inline int __any(int predicate) { return __any_sync(rafter_simt_active_mask(), predicate); }
[[gnu::always_inline]] inline int __all(int predicate) { return __all_sync(rafter_simt_active_mask(), predicate); }
