// two_stages: the two stages of a factor in one sweep, at every order.
// It moves 16 bytes per cell and step instead of 44; the cells of a tile's halo are also computed by adjacent tiles.
#include "heat/cuda/heat_steps.hpp"
#include "heat/cuda/heat_sweep.cuh"

namespace rafter::heat_ladder::RAFTER_BACKEND {

extern const HeatRung two_stages{[]<class T>(const Stream& stream, HeatArgs<T> args) {
  with_radius(args.grid.radius, [&](auto radius) {
    advance_by_sweeps(stream, args, 2, [&](int which, const GridView<const T>& from, const GridView<T>& to) {
      launch_sweep<SweepPolicy<T, radius(), 2>>(stream, args.grid, which, from, to);
    });
  });
}};

}  // namespace rafter::heat_ladder::RAFTER_BACKEND
