// The form of every row sum: a function template `name(stream, in, shape, out)` in rows_ladder::<device>.
#pragma once

#include <cstdint>
#include <span>

#include "rafter/rows.hpp"

// Declares the rung `name`.
#define RAFTER_ROWS_SIGNATURE(name) \
  template <class T>                \
  void name(const Stream& stream, std::span<const T> in, MatrixShape shape, std::span<T> out)

// Ends a rung's file: instantiates it for the element types of the workload.
#define RAFTER_ROWS_RUNG(name)                                                                     \
  template void name<float>(const Stream&, std::span<const float>, MatrixShape, std::span<float>); \
  template void name<double>(const Stream&, std::span<const double>, MatrixShape, std::span<double>)
