// thrust_gather: gather of NVIDIA's Thrust, which trusts its indices.
#include <thrust/execution_policy.h>
#include <thrust/gather.h>

#include "core/launch.cuh"
#include "gather/gather_rung.hpp"

namespace rafter::gather_ladder::cuda {

template <class T, class I>
void thrust_gather(const Stream& stream, std::span<const T> table, std::span<const I> indices, std::span<T> out,
                   Bounds bounds) {
  if (bounds.kind() != Bounds::Kind::trust)
    throw Error(ErrorCode::unsupported, "thrust::gather looks at no bounds; bounds=trust measures it");
  thrust::gather(thrust::cuda::par_nosync.on(stream.handle()), indices.data(), indices.data() + indices.size(),
                 table.data(), out.data());
}

RAFTER_GATHER_RUNG(thrust_gather);

}  // namespace rafter::gather_ladder::cuda
