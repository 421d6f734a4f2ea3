// Fields for the heat tests, and runs of the op and the solver from host to host.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "rafter/buffer.hpp"
#include "rafter/heat.hpp"

namespace rafter {

/// f(z, y, x) in every cell.
template <class T, class F>
std::vector<T> field_of(const GridShape& shape, const F& f) {
  std::vector<T> field;
  field.reserve(static_cast<std::size_t>(shape.n_cells()));
  for (std::int64_t z = 0; z < shape.nz; ++z) {
    for (std::int64_t y = 0; y < shape.ny; ++y) {
      for (std::int64_t x = 0; x < shape.nx; ++x) field.push_back(static_cast<T>(f(z, y, x)));
    }
  }
  return field;
}

/// Between -1 and 1, without any order, exact in float.
inline double noise(std::int64_t z, std::int64_t y, std::int64_t x) {
  std::uint64_t bits = static_cast<std::uint64_t>((z * 1009 + y) * 1013 + x + 1) * 0x9e3779b97f4a7c15;
  bits = (bits ^ bits >> 29) * 0xbf58476d1ce4e5b9;
  return static_cast<double>(bits >> 42) * 0x1p-21 - 1;
}

template <class T>
std::vector<T> noise_field(const GridShape& shape) {
  return field_of<T>(shape, noise);
}

/// heat_advance() of a field on the host.
template <class T>
std::vector<T> advanced(const Stream& stream, const HeatProblem& problem, std::int64_t n_steps,
                        const std::vector<T>& host) {
  const Buffer<T> in(stream, std::span<const T>(host));
  Buffer<T> out(stream, in.size());
  Buffer<T> work(stream, in.size());
  heat_advance(stream, in, problem, n_steps, out.span(), work.span());
  std::vector<T> result(host.size());
  out.copy_to(result);
  return result;
}

template <class T>
std::vector<T> field_in(const HeatSolver<T>& solver) {
  std::vector<T> field(static_cast<std::size_t>(solver.problem().shape.n_cells()));
  solver.field(field);
  return field;
}

/// A solver's field after so many steps.
template <class T>
std::vector<T> solved(const Stream& stream, const HeatProblem& problem, HeatBoundary boundary, std::int64_t n_steps,
                      const std::vector<T>& host) {
  HeatSolver<T> solver(stream, problem, boundary);
  solver.set_field(host);
  solver.advance(n_steps);
  return field_in(solver);
}

template <class T>
double largest_difference(const std::vector<T>& a, const std::vector<T>& b) {
  double largest = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    const double difference = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

}  // namespace rafter
