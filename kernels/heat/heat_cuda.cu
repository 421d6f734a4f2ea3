// by_size: stages in boxes for small grids, fused sweeps for large ones.
#include "heat/heat_steps.hpp"

namespace rafter::heat_ladder::RAFTER_BACKEND {

namespace {

/// H200: the cubes up to which boxes were faster, by radius.
bool pays_in_boxes(const HeatGrid& grid) {
  constexpr std::int64_t largest_side[max_radius + 1] = {0, 120, 144, 168, 200};
  const std::int64_t side = largest_side[grid.radius];
  return grid.shape.n_cells() <= side * side * side;
}

}  // namespace

template <class T>
void by_size(const Stream& stream, const HeatArgs<T>& args) {
  pays_in_boxes(args.grid) ? advance_in_boxes(stream, args) : advance_fused(stream, args);
}

RAFTER_HEAT_RUNG(by_size);

template <class T>
void sweep(const Stream& stream, const HeatGrid& grid, int which, T* now, T* next, bool* moved) {
  *moved = !pays_in_boxes(grid);
  if (*moved) return fused_sweep(stream, grid, which, now, next);
  const int n_factors = 2 / sweep_plan(grid.radius).n_sweeps;  // in a sweep
  for (int i = 0; i < n_factors; ++i) box_factor(stream, grid, which * n_factors + i, now, next, now);
}

template void sweep<float>(const Stream&, const HeatGrid&, int, float*, float*, bool*);
template void sweep<double>(const Stream&, const HeatGrid&, int, double*, double*, bool*);

}  // namespace rafter::heat_ladder::RAFTER_BACKEND
