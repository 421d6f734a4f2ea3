// The form of every sum: a function template `name(stream, in, out)` in sum_ladder::<device>.
#pragma once

#include <cstdint>
#include <span>

#include "rafter/stream.hpp"

// Declares the rung `name`.
#define RAFTER_SUM_SIGNATURE(name) \
  template <class T>               \
  void name(const Stream& stream, std::span<const T> in, T* out)

// Ends a rung's file: instantiates it for the element types of the workload.
#define RAFTER_SUM_RUNG(name)                                               \
  template void name<float>(const Stream&, std::span<const float>, float*); \
  template void name<double>(const Stream&, std::span<const double>, double*)
