// The sweeps of large grids: at order 2 all four stages of a step in one sweep, at the others two and two, because
// their halos would become too wide.
#include "heat/cuda/heat_steps.hpp"
#include "heat/cuda/heat_sweep.cuh"

namespace rafter::heat_ladder::RAFTER_BACKEND {

/// The policies. H200, 600^3, ms per step in calls of four steps (NOTES.md): order 8 takes 1.78 with five rows, 1.86
/// with six. Order 2 takes 0.80 with two planes in flight, 0.87 with one, and 0.83 with blocks of twice the rows, one
/// per multiprocessor. (With this policy a multiprocessor holds two blocks, though the parts of columns are planned for
/// one.)
template <class T, int Radius>
struct Fused {
  using Policy = SweepPolicy<T, Radius, 2>;
  using Narrow = SweepPolicy<T, Radius, 2, 2, 8, 1>;  // for GPUs with less shared memory: 98 KiB
};
template <class T>
struct Fused<T, 1> {
  using Policy = SweepPolicy<T, 1, 4, 6, 4>;
  using Narrow = SweepPolicy<T, 1, 4, 4, 4, 1>;
};

SweepPlan sweep_plan(int radius) {
  SweepPlan plan{};
  with_radius(radius, [&](auto r) {
    constexpr int stages = Fused<float, r()>::Policy::stages;
    plan = {4 / stages, radius * stages};
  });
  return plan;
}

template <class T>
void fused_sweep(const Stream& stream, const HeatGrid& grid, int which, GridView<const T> from, GridView<T> to) {
  with_radius(grid.radius, [&](auto radius) {
    using Policy = typename Fused<T, radius()>::Policy;
    using Narrow = typename Fused<T, radius()>::Narrow;
    const int first_factor = which * Policy::stages / 2;
    core::shared_bytes_per_sm() > Policy::shared_bytes
        ? launch_sweep<Policy>(stream, grid, first_factor, from, to)
        : launch_sweep_as<Narrow, false>(stream, grid, first_factor, from, to);
  });
}

#define RAFTER_FUSED_SWEEP(T) \
  template void fused_sweep<T>(const Stream&, const HeatGrid&, int, GridView<const T>, GridView<T>)
RAFTER_FUSED_SWEEP(float);
RAFTER_FUSED_SWEEP(double);

}  // namespace rafter::heat_ladder::RAFTER_BACKEND
