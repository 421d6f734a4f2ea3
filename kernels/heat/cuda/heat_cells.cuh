// One thread per cell: the grid traversal of the simple rungs.
#pragma once

#include <algorithm>

#include "heat/heat_rung.hpp"
#include "library/core/cuda/launch.cuh"

namespace rafter::heat_ladder::RAFTER_BACKEND {

/// A cell, given by its indices; whether it exists, and whether it is free to change.
struct Cell {
  std::int64_t index;
  bool exists;
  bool free;

  template <class T>
  __device__ Cell(const GridView<T>& field, int radius, std::int64_t z, std::int64_t y, std::int64_t x) {
    const GridShape& shape = field.shape;
    index = field.index(z, y, x);
    exists = x < shape.nx;
    free = x >= radius && x < shape.nx - radius && y >= radius && y < shape.ny - radius && z >= radius &&
           z < shape.nz - radius;
  }
};

/// Returns the stencil of `value(index)` at cell i, with the layout of `like`.
template <int Radius, class T, class Value>
__device__ T stencil_at(const Stencil<T, Radius>& stencil, const GridView<T>& like, std::int64_t i,
                        const Value& value) {
  const std::int64_t row = like.row_stride;
  const std::int64_t plane = like.plane_stride;
  T sum = stencil.centre * value(i);
#pragma unroll
  for (int k = 1; k <= Radius; ++k) {
    sum += stencil.x[k - 1] * (value(i - k) + value(i + k));
    sum += stencil.y[k - 1] * (value(i - k * row) + value(i + k * row));
    sum += stencil.z[k - 1] * (value(i - k * plane) + value(i + k * plane));
  }
  return sum;
}

template <class... Params>
void launch_cells(void (*kernel)(Params...), const Stream& stream, const GridShape& shape,
                  std::type_identity_t<Params>... args) {
  constexpr std::int64_t most = 65535;
  if (shape.ny > most || shape.nz > most)
    throw Error(ErrorCode::unsupported, "one thread per cell: a launch has at most 65535 blocks along y and z");
  const std::int64_t threads = std::min(ceil_div(shape.nx, std::int64_t{32}) * 32, std::int64_t{256});
  const dim3 blocks(static_cast<unsigned>(ceil_div(shape.nx, threads)), static_cast<unsigned>(shape.ny),
                    static_cast<unsigned>(shape.nz));
  core::launch(kernel, blocks, static_cast<unsigned>(threads), 0, stream, args...);
}

}  // namespace rafter::heat_ladder::RAFTER_BACKEND
