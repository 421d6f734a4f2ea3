// horner: L is linear, so the stages nest: four sweeps over the grid that read u and the previous stage, and no slopes.
// Plain loops; threads divide the planes. 44 bytes per cell and step if neighbours hit the caches.
#include "heat/heat_field.hpp"
#include "heat/heat_horner.hpp"
#include "library/core/parts.hpp"

namespace rafter::heat_ladder::cpu {

namespace {

/// Computes to = u + the stencil of v on the free cells. All fields have the same strides.
template <class T, int Radius>
void plain_stage(const Stream& stream, const Stencil<T, Radius>& stencil, const T* u, const T* v,
                 const GridView<T>& to) {
  const std::int64_t nz = to.shape.nz, ny = to.shape.ny, nx = to.shape.nx;
  const std::int64_t row = to.row_stride;
  const std::int64_t plane = to.plane_stride;
  core::for_each_part(stream, nz - 2 * Radius, [=](std::int64_t part) {
    const std::int64_t z = Radius + part;
    for (std::int64_t y = Radius; y < ny - Radius; ++y) {
      for (std::int64_t i = to.index(z, y, Radius); i < to.index(z, y, nx - Radius); ++i) {
        T sum = stencil.centre * v[i];
        for (int k = 1; k <= Radius; ++k) {
          sum += stencil.x[k - 1] * (v[i - k] + v[i + k]);
          sum += stencil.y[k - 1] * (v[i - k * row] + v[i + k * row]);
          sum += stencil.z[k - 1] * (v[i - k * plane] + v[i + k * plane]);
        }
        to.data[i] = u[i] + sum;
      }
    }
  });
}

}  // namespace

extern const HeatRung horner{[]<class T>(const Stream& stream, HeatArgs<T> args) {
  using From = GridView<const T>;
  using To = GridView<T>;
  with_radius(args.grid.radius, [&](auto radius) {
    run_horner(
        args, [&](const From& from, const To& to) { copy_frozen(stream, args.grid, from, to); },
        [&](double scale, const From& u, const From& v, const To& to) {
          plain_stage(stream, stencil_of<T, radius()>(args.grid, scale), u.data, v.data, to);
        });
  });
}};

}  // namespace rafter::heat_ladder::cpu
