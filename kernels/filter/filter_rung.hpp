// The form of every filter: a function template `name(stream, in, keep, out, count, order)` in filter_ladder::<device>.
#pragma once

#include <cstdint>
#include <span>

#include "rafter/filter.hpp"

// Declares the rung `name`.
#define RAFTER_FILTER_SIGNATURE(name)                                                                              \
  template <class T>                                                                                               \
  void name(const Stream& stream, std::span<const T> in, Predicate<T> keep, std::span<T> out, std::int64_t* count, \
            Order order)

// Ends a rung's file: instantiates it for the element types of the workload.
#define RAFTER_FILTER_INSTANCE(name, T) \
  template void name<T>(const Stream&, std::span<const T>, Predicate<T>, std::span<T>, std::int64_t*, Order)
#define RAFTER_FILTER_RUNG(name)              \
  RAFTER_FILTER_INSTANCE(name, float);        \
  RAFTER_FILTER_INSTANCE(name, double);       \
  RAFTER_FILTER_INSTANCE(name, std::int32_t); \
  RAFTER_FILTER_INSTANCE(name, std::int64_t)
