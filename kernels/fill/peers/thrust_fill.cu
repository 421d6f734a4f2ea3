// thrust_fill: thrust::fill, on the stream and without waiting.
#include <thrust/execution_policy.h>
#include <thrust/fill.h>

#include "fill/fill_rung.hpp"
#include "library/core/cuda/launch.cuh"

namespace rafter::fill_ladder::cuda {

extern const FillRung thrust_fill{[]<class T>(const Stream& stream, FillArgs<T> args) {
  thrust::fill(thrust::cuda::par_nosync.on(stream.handle()), args.out.data(), args.out.data() + args.out.size(),
               args.value);
}};

}  // namespace rafter::fill_ladder::cuda
