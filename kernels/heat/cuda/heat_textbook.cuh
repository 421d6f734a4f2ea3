// The four slopes of a step and their sum: five kernels. The rung chooses where the weights are: `Weights` gives a
// kernel its Stencil. All fields have the same strides.
#pragma once

#include "heat/cuda/heat_cells.cuh"

namespace rafter::heat_ladder::RAFTER_BACKEND {

/// Computes k = dt * L(u + share * before); frozen cells have no slope.
template <int Radius, class T, class Weights>
__global__ void heat_slope(Weights weights, const T* u, T share, const T* before, GridView<T> k) {
  const Cell cell(k, Radius, blockIdx.z, blockIdx.y, blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x);
  if (!cell.exists) return;
  T slope = 0;
  if (cell.free) {
    slope = stencil_at<Radius>(weights.stencil(), k, cell.index,
                               [=](std::int64_t i) { return before == nullptr ? u[i] : u[i] + share * before[i]; });
  }
  k.data[cell.index] = slope;
}

/// Computes out = u + the weighted sum of the slopes, which are n elements apart.
template <class T>
__global__ void heat_combine(const T* u, const T* k, std::int64_t n, GridView<T> out) {
  const Cell cell(out, 0, blockIdx.z, blockIdx.y, blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x);
  if (!cell.exists) return;
  const T* k1 = k + cell.index;
  out.data[cell.index] = u[cell.index] + (k1[0] + 2 * k1[n] + 2 * k1[2 * n] + k1[3 * n]) / 6;
}

/// Makes steps of classical RK4: k1 to k4 in the four work fields, then their sum.
template <int Radius, class T, class Weights>
void advance_textbook(const Stream& stream, const HeatArgs<T>& args, const Weights& weights) {
  require_same_strides(args);
  const GridShape& shape = args.grid.shape;
  const T* u = args.in.data;
  for (std::int64_t step = 0; step < args.n_steps; ++step) {
    constexpr T shares[4] = {0, T(0.5), T(0.5), 1};
    for (int i = 0; i < 4; ++i) {
      const T* before = i == 0 ? nullptr : args.work_field(i - 1).data;
      launch_cells(heat_slope<Radius, T, Weights>, stream, shape, weights, u, shares[i], before, args.work_field(i));
    }
    launch_cells(heat_combine<T>, stream, shape, u, args.work.data, args.work_distance(), args.out);
    u = args.out.data;
  }
}

}  // namespace rafter::heat_ladder::RAFTER_BACKEND
