// The answers of heat: fields in float64, on the device where results are compared.
#pragma once

#include "workbench/lab/cases/pitched.hpp"
#include "workbench/lab/data/comparator.hpp"
#include "workbench/lab/data/generate.hpp"

namespace rafter::heat_ladder {

/// Makes an element of a field of R from the input of T.
template <class R, class T>
struct MakeRounded {
  static constexpr bool has_device_code = true;
  R* to;
  lab::Generator in;
  constexpr void operator()(std::int64_t i) const { to[i] = static_cast<R>(static_cast<T>(in(i))); }
};

template <class T>
struct Widen {
  static constexpr bool has_device_code = true;
  const T* from;
  double* to;
  constexpr void operator()(std::int64_t i) const { to[i] = static_cast<double>(from[i]); }
};

/// The expected element: within `scale` times 1 plus the magnitude of the answer, which has no gaps; gaps between rows
/// must be unchanged.
struct NearAnswer {
  static constexpr bool has_device_code = true;
  const double* answer;
  double scale;
  std::int64_t nx;
  std::int64_t row_stride;
  constexpr lab::Expectation operator()(std::int64_t i) const {
    const std::int64_t x = i % row_stride;
    if (x >= nx) return {lab::all_bits_set<double>(), 0};
    const double value = answer[i / row_stride * nx + x];
    return {value, scale * (1 + (value < 0 ? -value : value))};
  }
};

}  // namespace rafter::heat_ladder
