// Shuffles and votes as before CUDA 9, without a mask: the lanes that are active at the call take part.
#pragma once

#include "rafter_simt/warp.hpp"

#define RAFTER_SIMT_LEGACY(name, Argument)                                          \
  template <class T>                                                                \
  T name(T value, Argument argument, int width = 32, int line = __builtin_LINE()) { \
    return name##_sync(rafter_simt_active_mask(line), value, argument, width);      \
  }
RAFTER_SIMT_LEGACY(__shfl, int)
RAFTER_SIMT_LEGACY(__shfl_up, unsigned)
RAFTER_SIMT_LEGACY(__shfl_down, unsigned)
RAFTER_SIMT_LEGACY(__shfl_xor, int)
#undef RAFTER_SIMT_LEGACY

inline unsigned __ballot(int predicate, int line = __builtin_LINE()) {
  return __ballot_sync(rafter_simt_active_mask(line), predicate);
}
inline int __any(int predicate, int line = __builtin_LINE()) {
  return __any_sync(rafter_simt_active_mask(line), predicate);
}
inline int __all(int predicate, int line = __builtin_LINE()) {
  return __all_sync(rafter_simt_active_mask(line), predicate);
}
