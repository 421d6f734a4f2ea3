// The kernels for many unsorted keys, compiled separately.
#include "scatter/cuda/scatter_binned.cuh"
#include "scatter/cuda/scatter_parts.hpp"

namespace rafter::scatter_ladder::RAFTER_BACKEND {

extern const PartRung binned_by_chunks{[]<Binnable T, class Key>(const Stream& stream, PartArgs<T, Key> args) {
  with_reduction<T>(args.reduction,
                    [&]<class Reducer>(Reducer) { reduce_binned<Reducer>(stream, args.view, args.scratch); });
}};

}  // namespace rafter::scatter_ladder::RAFTER_BACKEND
