// textbook: k1 to k4 and their sum, five kernels per step, one thread per cell, the weights in an array.
// Every neighbour of the later slopes takes two loads, and every weight one more: bound by the first-level cache.
#include "heat/cuda/heat_textbook.cuh"
#include "library/core/stream/scratch.hpp"

namespace rafter::heat_ladder::RAFTER_BACKEND {

/// The weights in global memory.
template <class T, int Radius>
struct WeightsInMemory {
  const Stencil<T, Radius>* at;
  __device__ Stencil<T, Radius> stencil() const { return *at; }
};

template <class T, int Radius>
__global__ void heat_write_weights(Stencil<T, Radius> stencil, Stencil<T, Radius>* to) {
  *to = stencil;
}

extern const HeatRung textbook{[]<class T>(const Stream& stream, HeatArgs<T> args) {
  with_radius(args.grid.radius, [&](auto radius) {
    using Weights = Stencil<T, radius()>;
    auto* weights = reinterpret_cast<Weights*>(core::scratch(stream, sizeof(Weights)));
    core::launch(heat_write_weights<T, radius()>, 1, 1, 0, stream, stencil_of<T, radius()>(args.grid, 1), weights);
    advance_textbook<radius()>(stream, args, WeightsInMemory<T, radius()>{weights});
  });
}};

}  // namespace rafter::heat_ladder::RAFTER_BACKEND
