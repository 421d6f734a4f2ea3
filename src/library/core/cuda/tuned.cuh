// Values of tunables for the current GPU.
#pragma once

#include "library/core/cuda/policy.cuh"
#include "library/core/tunable.hpp"

namespace rafter::core {
inline namespace RAFTER_BACKEND {

inline int tuned(const Tunable& tunable) {
#ifdef RAFTER_SIMT
  return tunable.value_for(capability());
#else
  return tunable.value_here();
#endif
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::core
