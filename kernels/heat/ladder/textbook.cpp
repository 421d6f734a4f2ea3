// textbook: k1 to k4 and their sum, five loops per step over the whole grid; k is dt times a slope. It also computes
// the answers, in float64, so it is plain; its planes are divided among threads nevertheless.
#include <algorithm>

#include "heat/heat_field.hpp"
#include "library/core/parts.hpp"

namespace rafter::heat_ladder::cpu {

namespace {

/// Calls f(i) for the indices of all cells that are not frozen.
template <class T, class F>
void for_free_cells(const Stream& stream, const GridView<T>& field, std::int64_t r, const F& f) {
  const std::int64_t nz = field.shape.nz, ny = field.shape.ny, nx = field.shape.nx;
  core::for_each_part(stream, std::max<std::int64_t>(nz - 2 * r, 0), [&](std::int64_t plane) {
    for (std::int64_t y = r; y < ny - r; ++y) {
      for (std::int64_t x = r; x < nx - r; ++x) f(field.index(r + plane, y, x));
    }
  });
}

/// Returns the stencil at cell i of a field given as a function, with the layout of `like`.
template <class T, int Radius, class Field>
T stencil_at(const Stencil<T, Radius>& stencil, const GridView<T>& like, std::int64_t i, const Field& v) {
  const std::int64_t row = like.row_stride;
  const std::int64_t plane = like.plane_stride;
  T sum = stencil.centre * v(i);
  for (int k = 1; k <= Radius; ++k) {
    sum += stencil.x[k - 1] * (v(i - k) + v(i + k));
    sum += stencil.y[k - 1] * (v(i - k * row) + v(i + k * row));
    sum += stencil.z[k - 1] * (v(i - k * plane) + v(i + k * plane));
  }
  return sum;
}

/// Sets a slope to zero, which the frozen cells keep.
template <class T>
T* cleared(const GridView<T>& slope) {
  for (std::int64_t z = 0; z < slope.shape.nz; ++z) {
    for (std::int64_t y = 0; y < slope.shape.ny; ++y) std::fill_n(slope.row(z, y), slope.shape.nx, T{0});
  }
  return slope.data;
}

}  // namespace

extern const HeatRung textbook{[]<class T>(const Stream& stream, HeatArgs<T> args) {
  require_same_strides(args);
  const GridView<T> field = args.out;
  if (args.in.data != field.data) copy_field(stream, args.in, field);
  T* u = field.data;
  T* k1 = cleared(args.work_field(0));
  T* k2 = cleared(args.work_field(1));
  T* k3 = cleared(args.work_field(2));
  T* k4 = cleared(args.work_field(3));
  with_radius(args.grid.radius, [&](auto radius) {
    const auto stencil = stencil_of<T, radius()>(args.grid, 1);
    const auto for_free = [&](const auto& f) { for_free_cells(stream, field, radius(), f); };
    const auto slope = [&](T* k, const auto& v) {
      for_free([&](std::int64_t i) { k[i] = stencil_at<T, radius()>(stencil, field, i, v); });
    };
    for (std::int64_t step = 0; step < args.n_steps; ++step) {
      slope(k1, [=](std::int64_t i) { return u[i]; });
      slope(k2, [=](std::int64_t i) { return u[i] + k1[i] / 2; });
      slope(k3, [=](std::int64_t i) { return u[i] + k2[i] / 2; });
      slope(k4, [=](std::int64_t i) { return u[i] + k3[i]; });
      for_free([&](std::int64_t i) { u[i] += (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) / 6; });
    }
  });
}};

}  // namespace rafter::heat_ladder::cpu
