// tiled_sweep: Horner's stages; each moves a tile of columns through the planes.
// A plane is copied to shared memory once, two ahead of its use. Along z nothing is read twice: a plane is added to the
// partial sums of the planes within its radius, which are in registers. Bound by DRAM: 44 bytes per cell and step.
#include "heat/cuda/heat_sweep.cuh"
#include "heat/heat_field.hpp"
#include "heat/heat_horner.hpp"

namespace rafter::heat_ladder::RAFTER_BACKEND {

template <class Policy, bool Aligned>
__global__ void __launch_bounds__(Policy::threads, Policy::blocks_per_sm)
    heat_tiled(SweepGrid grid, Stencil<typename Policy::T, Policy::radius> stencil, const typename Policy::T* u,
               const __grid_constant__ typename PlaneStream<Policy, Aligned>::Source v, typename Policy::T* to) {
  using T = typename Policy::T;
  using Vector = core::Vector<T>;
  const TilePlace tile = place_of_tile<Policy>(grid, static_cast<int>(blockIdx.x));
  const ThreadPlace<Policy, Aligned> place(grid, tile, 0, static_cast<int>(threadIdx.x));
  const Rings<Policy> rings{core::dynamic_shared<T>(), tile, static_cast<int>(grid.shape.nz)};
  PlaneStream<Policy, Aligned> input(rings, v, grid);
  PartialPlanes<Policy, Policy::rows> partial = {};
  const std::int64_t n_plane = grid.plane;
  for (int z = rings.template first<0>(); z < rings.template end<0>(); ++z) {
    input.template wait_for<0>(z);
    const int done = z - Policy::radius;
    const unsigned results = done >= tile.first_plane ? place.result : 0;
    Vector own[Policy::rows];  // in flight while the plane is processed
#pragma unroll
    for (int j = 0; j < Policy::rows; ++j) own[j] = place.load(results, u + done * n_plane, j);
    const auto finish = [&](int j, const Vector& sum) {
      const Vector complete = place.select(place.free, j, scaled_sum(sum, T{1}, own[j].lane), own[j]);
      place.store(results, to + done * n_plane, j, complete);
    };
    accumulate_plane<Policy, Policy::rows, true>(partial, rings.template plane<0>(z) + place.in_plane, stencil, finish);
  }
}

template <class Policy, bool Aligned, class T>
void launch_tiled(const Stream& stream, const HeatGrid& grid, double scale, const T* u, const GridView<const T>& v,
                  const GridView<T>& to) {
  launch_tiles<Policy>(heat_tiled<Policy, Aligned>, stream, to, stencil_of<T, Policy::radius>(grid, scale), u,
                       PlaneStream<Policy, Aligned>::source(v), to.data);
}

extern const HeatRung tiled_sweep{[]<class T>(const Stream& stream, HeatArgs<T> args) {
  using From = GridView<const T>;
  using To = GridView<T>;
  const HeatGrid& grid = args.grid;
  with_radius(grid.radius, [&](auto radius) {
    using Policy = SweepPolicy<T, radius(), 1, 4>;
    run_horner(
        args, [&](const From& from, const To& to) { copy_frozen(stream, grid, from, to); },
        [&](double scale, const From& u, const From& v, const To& to) {
          with_copies<T>(grid, {u, v, to}, [&](auto copies) {
            launch_tiled<Policy, copies.aligned>(stream, grid, scale, u.data, v, to);
          });
        });
  });
}};

}  // namespace rafter::heat_ladder::RAFTER_BACKEND
