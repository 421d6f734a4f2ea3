// constant_weights: the textbook's kernels with the weights as kernel parameters.
// Parameters are in constant memory: a multiply-add reads its weight from there directly, without a load.
#include "heat/cuda/heat_textbook.cuh"

namespace rafter::heat_ladder::RAFTER_BACKEND {

template <class T, int Radius>
struct WeightsInParameters {
  Stencil<T, Radius> value;
  __device__ const Stencil<T, Radius>& stencil() const { return value; }
};

extern const HeatRung constant_weights{[]<class T>(const Stream& stream, HeatArgs<T> args) {
  with_radius(args.grid.radius, [&](auto radius) {
    advance_textbook<radius()>(stream, args, WeightsInParameters<T, radius()>{stencil_of<T, radius()>(args.grid, 1)});
  });
}};

}  // namespace rafter::heat_ladder::RAFTER_BACKEND
