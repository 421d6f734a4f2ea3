// textbook: k1 to k4 and their sum, five loops a step over the whole grid; k is dt times a slope. It is also what
// answers are computed with, in float64: so it is plain, and its planes are shared among threads all the same.
#include <algorithm>

#include "heat/heat_field.hpp"

namespace rafter::heat_ladder::cpu {

namespace {

/// Calls f(i) for all cells that are not frozen.
template <class F>
void for_free_cells(const Stream& stream, const HeatGrid& grid, const F& f) {
  const std::int64_t nz = grid.shape.nz, ny = grid.shape.ny, nx = grid.shape.nx;
  const std::int64_t r = grid.radius;
#pragma omp parallel for num_threads(stream.n_threads()) schedule(static)
  for (std::int64_t z = r; z < nz - r; ++z) {
    for (std::int64_t y = r; y < ny - r; ++y) {
      for (std::int64_t x = r; x < nx - r; ++x) f((z * ny + y) * nx + x);
    }
  }
}

/// The stencil around cell i of a field given as a function.
template <class T, int Radius, class Field>
T stencil_at(const Stencil<T, Radius>& stencil, const HeatGrid& grid, std::int64_t i, const Field& v) {
  const std::int64_t row = grid.shape.nx;
  const std::int64_t plane = grid.plane();
  T sum = stencil.centre * v(i);
  for (int k = 1; k <= Radius; ++k) {
    sum += stencil.x[k - 1] * (v(i - k) + v(i + k));
    sum += stencil.y[k - 1] * (v(i - k * row) + v(i + k * row));
    sum += stencil.z[k - 1] * (v(i - k * plane) + v(i + k * plane));
  }
  return sum;
}

}  // namespace

extern const HeatRung textbook{[]<class T>(const Stream& stream, HeatArgs<T> args) {
  const HeatGrid& grid = args.grid;
  const std::int64_t n = grid.shape.n_cells();
  T* u = args.out;
  T* k1 = args.work;
  T* k2 = k1 + n;
  T* k3 = k2 + n;
  T* k4 = k3 + n;
  if (args.in != u) copy_field(stream, args.in, u, n);
  std::fill_n(k1, 4 * n, T{0});  // as the frozen cells keep it
  with_radius(grid.radius, [&](auto radius) {
    const auto stencil = stencil_of<T, radius()>(grid, 1);
    const auto slope = [&](T* k, const auto& v) {
      for_free_cells(stream, grid, [&](std::int64_t i) { k[i] = stencil_at<T, radius()>(stencil, grid, i, v); });
    };
    for (std::int64_t step = 0; step < args.n_steps; ++step) {
      slope(k1, [=](std::int64_t i) { return u[i]; });
      slope(k2, [=](std::int64_t i) { return u[i] + k1[i] / 2; });
      slope(k3, [=](std::int64_t i) { return u[i] + k2[i] / 2; });
      slope(k4, [=](std::int64_t i) { return u[i] + k3[i]; });
      for_free_cells(stream, grid, [&](std::int64_t i) { u[i] += (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) / 6; });
    }
  });
}};

}  // namespace rafter::heat_ladder::cpu
