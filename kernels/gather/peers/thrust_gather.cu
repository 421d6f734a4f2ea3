// thrust_gather: thrust::gather of NVIDIA's Thrust, which trusts its indices.
#include <thrust/execution_policy.h>
#include <thrust/gather.h>

#include "gather/gather_rung.hpp"
#include "library/core/cuda/launch.cuh"

namespace rafter::gather_ladder::cuda {

extern const GatherRung thrust_gather{[]<class T, class I>(const Stream& stream, GatherArgs<T, I> args) {
  if (args.out_of_range.kind() != OutOfRange::Kind::trust)
    throw Error(ErrorCode::unsupported, "thrust::gather checks no bounds; measure it with bounds=trust");
  thrust::gather(thrust::cuda::par_nosync.on(stream.handle()), args.indices.data(),
                 args.indices.data() + args.indices.size(), args.table.data(), args.out.data());
}};

}  // namespace rafter::gather_ladder::cuda
