// thrust_fill: thrust::fill, on the stream and without waiting.
#include <thrust/execution_policy.h>
#include <thrust/fill.h>

#include "core/launch.cuh"
#include "fill/fill_rung.hpp"

namespace rafter::fill_ladder::cuda {

template <class T>
void thrust_fill(const Stream& stream, std::span<T> out, T value) {
  thrust::fill(thrust::cuda::par_nosync.on(stream.handle()), out.data(), out.data() + out.size(), value);
}

RAFTER_FILL_RUNG(thrust_fill);

}  // namespace rafter::fill_ladder::cuda
