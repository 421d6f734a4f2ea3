// The form of every fill: a function template `name(stream, out, value)` in fill_ladder::<device>.
#pragma once

#include <cstdint>
#include <span>

#include "rafter/stream.hpp"

// Declares the rung `name`.
#define RAFTER_FILL_SIGNATURE(name) \
  template <class T>                \
  void name(const Stream& stream, std::span<T> out, T value)

// Ends a rung's file: instantiates it for the element types of the workload.
#define RAFTER_FILL_RUNG(name)                                                            \
  template void name<float>(const Stream&, std::span<float>, float);                      \
  template void name<double>(const Stream&, std::span<double>, double);                   \
  template void name<std::int32_t>(const Stream&, std::span<std::int32_t>, std::int32_t); \
  template void name<std::int64_t>(const Stream&, std::span<std::int64_t>, std::int64_t)
