// The four slopes of a step and their sum: five kernels. Where the weights come from is the rung's: `Weights` gives a
// kernel its Stencil.
#pragma once

#include "heat/cuda/heat_cells.cuh"

namespace rafter::heat_ladder::RAFTER_BACKEND {

/// k = dt * L(u + share * before); frozen cells have no slope.
template <int Radius, class T, class Weights>
__global__ void heat_slope(GridShape shape, Weights weights, const T* u, T share, const T* before, T* k) {
  const Cell cell(shape, Radius);
  if (!cell.exists) return;
  T slope = 0;
  if (cell.free) {
    slope = stencil_at<Radius>(weights.stencil(), shape, cell.index,
                               [=](std::int64_t i) { return before == nullptr ? u[i] : u[i] + share * before[i]; });
  }
  k[cell.index] = slope;
}

template <class T>
__global__ void heat_combine(GridShape shape, const T* u, const T* k, T* out) {
  const Cell cell(shape, 0);
  if (!cell.exists) return;
  const std::int64_t n = shape.n_cells();
  const T* k1 = k + cell.index;
  out[cell.index] = u[cell.index] + (k1[0] + 2 * k1[n] + 2 * k1[2 * n] + k1[3 * n]) / 6;
}

/// Classical RK4: k1 to k4 in the four fields of work, then their sum.
template <int Radius, class T, class Weights>
void advance_textbook(const Stream& stream, const HeatArgs<T>& args, const Weights& weights) {
  const GridShape& shape = args.grid.shape;
  const std::int64_t n = shape.n_cells();
  const T* u = args.in;
  for (std::int64_t step = 0; step < args.n_steps; ++step) {
    constexpr T shares[4] = {0, T(0.5), T(0.5), 1};
    for (int i = 0; i < 4; ++i) {
      const T* before = i == 0 ? nullptr : args.work + (i - 1) * n;
      launch_cells(heat_slope<Radius, T, Weights>, stream, shape, shape, weights, u, shares[i], before,
                   args.work + i * n);
    }
    launch_cells(heat_combine<T>, stream, shape, shape, u, args.work, args.out);
    u = args.out;
  }
}

}  // namespace rafter::heat_ladder::RAFTER_BACKEND
