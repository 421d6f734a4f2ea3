// The stages of small grids.
#include "heat/heat_boxes.cuh"
#include "heat/heat_steps.hpp"

namespace rafter::heat_ladder::RAFTER_BACKEND {

template <class T>
void box_factor(const Stream& stream, const HeatGrid& grid, int which, const T* from, T* work, T* to) {
  with_radius(grid.radius, [&](auto radius) {
    using Policy = BoxPolicy<T, radius()>;
    using Narrow = BoxPolicy<T, radius(), 2>;  // for GPUs with less shared memory: 90 KiB
    const RkFactor& factor = rk_factors[static_cast<std::size_t>(which)];
    core::shared_bytes_per_sm() > Policy::shared_bytes
        ? launch_box_factor<Policy>(stream, grid, factor, from, work, to)
        : launch_box_factor<Narrow>(stream, grid, factor, from, work, to);
  });
}

template void box_factor<float>(const Stream&, const HeatGrid&, int, const float*, float*, float*);
template void box_factor<double>(const Stream&, const HeatGrid&, int, const double*, double*, double*);

}  // namespace rafter::heat_ladder::RAFTER_BACKEND
