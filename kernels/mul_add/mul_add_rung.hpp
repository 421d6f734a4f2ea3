// The form of every mul_add: a function template `name(stream, in, out)` in mul_add_ladder::<device>.
#pragma once

#include <cstdint>
#include <span>

#include "mul_add/factors.hpp"
#include "rafter/stream.hpp"

// Declares the rung `name`.
#define RAFTER_MUL_ADD_SIGNATURE(name) \
  template <class T>                   \
  void name(const Stream& stream, Factors<T> in, std::span<T> out)

// Ends a rung's file: instantiates it for the element types of the workload.
#define RAFTER_MUL_ADD_RUNG(name)                                                                  \
  template void name<float>(const Stream&, Factors<float>, std::span<float>);                      \
  template void name<double>(const Stream&, Factors<double>, std::span<double>);                   \
  template void name<std::int32_t>(const Stream&, Factors<std::int32_t>, std::span<std::int32_t>); \
  template void name<std::int64_t>(const Stream&, Factors<std::int64_t>, std::span<std::int64_t>)
