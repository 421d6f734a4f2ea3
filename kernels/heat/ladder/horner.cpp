// horner: L is linear, so the stages nest: four sweeps over the grid that read u and the stage before, and no slopes.
// Plain loops, one thread; 44 bytes per cell and step if neighbours come from the caches.
#include "heat/heat_field.hpp"
#include "heat/heat_horner.hpp"

namespace rafter::heat_ladder::cpu {

namespace {

/// to = u + the stencil of v, on the free cells.
template <class T, int Radius>
void plain_stage(const HeatGrid& grid, const Stencil<T, Radius>& stencil, const T* u, const T* v, T* to) {
  const std::int64_t nz = grid.shape.nz, ny = grid.shape.ny, nx = grid.shape.nx;
  const std::int64_t plane = grid.plane();
  for (std::int64_t z = Radius; z < nz - Radius; ++z) {
    for (std::int64_t y = Radius; y < ny - Radius; ++y) {
      for (std::int64_t i = (z * ny + y) * nx + Radius; i < (z * ny + y + 1) * nx - Radius; ++i) {
        T sum = stencil.centre * v[i];
        for (int k = 1; k <= Radius; ++k) {
          sum += stencil.x[k - 1] * (v[i - k] + v[i + k]);
          sum += stencil.y[k - 1] * (v[i - k * nx] + v[i + k * nx]);
          sum += stencil.z[k - 1] * (v[i - k * plane] + v[i + k * plane]);
        }
        to[i] = u[i] + sum;
      }
    }
  }
}

}  // namespace

extern const HeatRung horner{[]<class T>(const Stream& stream, HeatArgs<T> args) {
  with_radius(args.grid.radius, [&](auto radius) {
    run_horner(
        args, [&](const T* from, T* to) { copy_frozen(stream, args.grid, from, to); },
        [&](double scale, const T* u, const T* v, T* to) {
          plain_stage(args.grid, stencil_of<T, radius()>(args.grid, scale), u, v, to);
        });
  });
}};

}  // namespace rafter::heat_ladder::cpu
