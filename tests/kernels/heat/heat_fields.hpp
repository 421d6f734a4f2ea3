// Fields for the heat tests, and runs of the op and the solver from host to host.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "rafter/buffer.hpp"
#include "rafter/error.hpp"
#include "rafter/heat.hpp"

namespace rafter {

/// Returns a field with f(z, y, x) in every cell.
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

/// Returns noise between -1 and 1, exact in float.
inline double noise(std::int64_t z, std::int64_t y, std::int64_t x) {
  std::uint64_t bits = static_cast<std::uint64_t>((z * 1009 + y) * 1013 + x + 1) * 0x9e3779b97f4a7c15;
  bits = (bits ^ bits >> 29) * 0xbf58476d1ce4e5b9;
  return static_cast<double>(bits >> 42) * 0x1p-21 - 1;
}

template <class T>
std::vector<T> noise_field(const GridShape& shape) {
  return field_of<T>(shape, noise);
}

/// A field of noise within a larger array, which is NaN before, after and between the field's rows and planes.
template <class T>
class FieldWithGaps {
 public:
  struct Layout {
    std::int64_t row_stride;
    std::int64_t plane_stride;
    std::int64_t first = 0;  // elements before it
  };

  FieldWithGaps(const Stream& stream, const GridShape& shape, const Layout& layout)
      : like_(GridView<const T>::unchecked(nullptr, shape, layout.row_stride, layout.plane_stride)),
        first_(layout.first),
        memory_(stream, first_ + like_.extent() + 5) {
    std::vector<T> host(static_cast<std::size_t>(memory_.size()), static_cast<T>(NAN));
    const std::vector<T> cells = noise_field<T>(shape);
    for (std::int64_t i = 0; i < shape.n_cells(); ++i) host[place(i)] = cells[static_cast<std::size_t>(i)];
    memory_.copy_from(host);
  }

  GridView<T> view() {
    return GridView<T>::unchecked(memory_.data() + first_, like_.shape, like_.row_stride, like_.plane_stride);
  }

  /// Returns its cells; an empty vector if memory outside of them was written.
  std::vector<T> cells() const {
    std::vector<T> host(static_cast<std::size_t>(memory_.size()));
    memory_.copy_to(host);
    std::vector<T> cells;
    for (std::int64_t i = 0; i < like_.shape.n_cells(); ++i)
      cells.push_back(std::exchange(host[place(i)], static_cast<T>(NAN)));
    const bool are_kept = std::all_of(host.begin(), host.end(), [](T value) { return std::isnan(value); });
    return are_kept ? cells : std::vector<T>{};
  }

 private:
  std::size_t place(std::int64_t i) const {
    const std::int64_t row = i / like_.shape.nx;
    const std::int64_t x = i % like_.shape.nx;
    return static_cast<std::size_t>(first_ + like_.index(row / like_.shape.ny, row % like_.shape.ny, x));
  }

  GridView<const T> like_;
  std::int64_t first_;
  Buffer<T> memory_;
};

/// Returns a host field after heat_advance().
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

/// Returns a solver's field after n_steps steps.
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

/// Calls what must be refused as a bad argument, and returns the message.
template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_argument);
    return error.what();
  }
  return "not refused";
}

}  // namespace rafter
