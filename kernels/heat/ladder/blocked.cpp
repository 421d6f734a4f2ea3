// blocked: two sweeps of two stages, v + a dt L(v + b/a dt L v), with vectors along x, several rows and planes at a
// time, so that a load serves several cells, in chunks of rows that stay in the first-level cache. Threads divide the
// planes. It moves 40 bytes per cell and step; planes a power of two apart share their cache sets.
#include <algorithm>

#include "heat/cpu/heat_stage.hpp"
#include "heat/heat_field.hpp"
#include "heat/heat_simd.hpp"
#include "heat/heat_sweeps.hpp"
#include "library/core/arithmetic.hpp"
#include "library/core/parts.hpp"

namespace rafter::heat_ladder::cpu {

namespace {

/// Computes to = base + scale * dt * L v on the free cells. All fields have the same strides.
template <class T>
void blocked_stage(const Stream& stream, const HeatGrid& grid, double scale, const GridView<const T>& base,
                   const GridView<const T>& v, const GridView<T>& to) {
  const std::int64_t nz = grid.shape.nz, ny = grid.shape.ny, nx = grid.shape.nx;
  const std::int64_t r = grid.radius;
  const StageWeights<T> weights = stage_weights<T>(grid, scale);
  core::for_each_part(stream, ceil_div(nz - 2 * r, std::int64_t{stage_planes}), [&](std::int64_t part) {
    const std::int64_t z = r + part * stage_planes;
    StageArgs<T> args{};
    args.stencil = weights;
    args.n_rows = ny - 2 * r;
    args.n_cells = nx - 2 * r;
    args.pitch = to.row_stride;
    args.n_planes = std::min<std::int64_t>(stage_planes, nz - r - z);
    for (std::int64_t i = 0; i < args.n_planes + 2 * r; ++i) args.in[i] = v.row(z + i - r, r) + r;
    for (std::int64_t i = 0; i < args.n_planes; ++i) {
      args.base[i] = base.row(z + i, r) + r;
      args.out[i] = to.row(z + i, r) + r;
    }
    heat_loops().of(v.data).contiguous[r - 1](args);
  });
}

}  // namespace

extern const HeatRung blocked{[]<class T>(const Stream& stream, HeatArgs<T> args) {
  using From = GridView<const T>;
  using To = GridView<T>;
  require_same_strides(args);
  const HeatGrid& grid = args.grid;
  const auto frozen = [&](const From& from, const To& to) { copy_frozen(stream, grid, from, to); };
  const To between = args.work_field(1);
  frozen(args.in, between);
  run_sweeps(
      args, 2, frozen, [&](const From& from, const To& to) { copy_field(stream, from, to); },
      [&](int which, const From& from, const To& to) {
        const RkFactor& factor = rk_factors[static_cast<std::size_t>(which)];
        blocked_stage<T>(stream, grid, factor.inner, from, from, between);
        blocked_stage<T>(stream, grid, factor.outer, from, between, to);
      });
}};

}  // namespace rafter::heat_ladder::cpu
