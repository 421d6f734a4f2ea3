// constant_weights: the textbook's kernels with the weights as their parameters.
// Parameters are constant memory: a multiply-add takes its weight from there itself, without a load.
#include "heat/heat_textbook.cuh"

namespace rafter::heat_ladder::RAFTER_BACKEND {

template <class T, int Radius>
struct WeightsInParameters {
  Star<T, Radius> value;
  __device__ const Star<T, Radius>& star() const { return value; }
};

template <class T>
void constant_weights(const Stream& stream, const HeatArgs<T>& args) {
  with_radius(args.grid.radius, [&](auto radius) {
    advance_textbook<radius()>(stream, args, WeightsInParameters<T, radius()>{star_of<T, radius()>(args.grid, 1)});
  });
}

RAFTER_HEAT_RUNG(constant_weights);

}  // namespace rafter::heat_ladder::RAFTER_BACKEND
