// by_size: all stages in one launch for small grids, fused sweeps for large ones.
#include <utility>

#include "heat/heat_steps.hpp"

namespace rafter::heat_ladder::RAFTER_BACKEND {

namespace {

/// H200: cubes of floats of so many cells along each side, by radius, are the largest for which one launch is faster.
template <class T>
bool pays_in_one_launch(const HeatGrid& grid, std::initializer_list<const T*> fields) {
  constexpr std::int64_t largest_side[max_radius + 1] = {0, 0, 140, 200, 200};
  const std::int64_t side = largest_side[grid.radius];
  const std::int64_t bytes = grid.shape.n_cells() * std::int64_t{sizeof(T)};
  return bytes <= side * side * side * std::int64_t{sizeof(float)} && one_launch_is_possible<T>(grid, fields);
}

}  // namespace

template <class T>
void by_size(const Stream& stream, const HeatArgs<T>& args) {
  pays_in_one_launch<T>(args.grid, {args.in, args.work, args.out}) ? advance_in_one_launch(stream, args)
                                                                   : advance_fused(stream, args);
}

RAFTER_HEAT_RUNG(by_size);

template <class T>
void sweeps(const Stream& stream, const HeatGrid& grid, int first, std::int64_t n, T* now, T* next, bool* moved) {
  const int n_sweeps = sweep_plan(grid.radius).n_sweeps;  // of a step
  *moved = false;
  if (pays_in_one_launch<T>(grid, {now, next})) {
    const int n_factors = 2 / n_sweeps;  // of a sweep
    return factors_in_one_launch(stream, grid, first * n_factors, n * n_factors, now, next, now);
  }
  for (std::int64_t i = 0; i < n; ++i, std::swap(now, next), *moved = !*moved)
    fused_sweep(stream, grid, static_cast<int>((first + i) % n_sweeps), now, next);
}

template void sweeps<float>(const Stream&, const HeatGrid&, int, std::int64_t, float*, float*, bool*);
template void sweeps<double>(const Stream&, const HeatGrid&, int, std::int64_t, double*, double*, bool*);

}  // namespace rafter::heat_ladder::RAFTER_BACKEND
