// two_stages: the two stages of a factor in one sweep, whatever the order.
// 16 bytes per cell and step instead of 44; the tile's halo is worked on by its neighbours, too.
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
