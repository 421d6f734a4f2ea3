// A stage of a conduction step on a GPU, one thread per cell. Bound by the loads of its neighbours, as horner is.
#include "heat/heat_conduction_stage.hpp"
#include "library/core/cuda/launch.cuh"

namespace rafter::heat_ladder::RAFTER_BACKEND {

template <int Radius, bool Varies, class T>
__global__ void conduct_cells(ConductionStage<T> stage) {
  const std::int64_t at = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  const GridShape& shape = stage.shape;
  if (at >= shape.n_cells()) return;
  const std::int64_t row = at / shape.nx;
  const std::int64_t z = row / shape.ny, y = row % shape.ny, x = at % shape.nx;
  T value = stage.u[at];
  if (is_free(stage.z, z) && is_free(stage.y, y) && is_free(stage.x, x)) {
    constexpr int reach = reach_of(Radius, Varies);
    const bool inner = is_inner(stage.z, z, reach) && is_inner(stage.y, y, reach) && is_inner(stage.x, x, reach);
    T change;
    if (!inner)
      change = outer_change<Radius, Varies>(stage, z, y, x, at);
    else if constexpr (Varies && Radius > 1)
      change = inner_change<Radius>(stage, FacesBelow<T>(stage, z, y), at);
    else
      change = inner_change<Radius, Varies>(stage, at);
    value = with_change(stage, at, change);
  }
  stage.out[at] = value;
}

template <class T>
void conduct(const Stream& stream, const ConductionStage<T>& stage) {
  constexpr int threads = 256;
  const auto launch = [&](auto kernel) {
    core::launch(kernel, ceil_div(stage.shape.n_cells(), threads), threads, 0, stream, stage);
  };
  with_radius(stage.radius, [&](auto radius) {
    if (stage.diffusivity != nullptr) return launch(conduct_cells<radius(), true, T>);
    launch(conduct_cells<radius(), false, T>);
  });
}

template void conduct<float>(const Stream&, const ConductionStage<float>&);
template void conduct<double>(const Stream&, const ConductionStage<double>&);

}  // namespace rafter::heat_ladder::RAFTER_BACKEND
