// The kernels for sorted keys, built apart from the others: they take as long to compile as all of those.
#include "scatter/cuda/scatter_parts.hpp"
#include "scatter/cuda/scatter_sorted.cuh"

namespace rafter::scatter_ladder::RAFTER_BACKEND {

extern const ScatterRung sorted_by_tiles{[]<class T, class Key>(const Stream& stream, ScatterArgs<T, Key> args) {
  with_reduction<T>(args.options.reduction,
                    [&]<class Reducer>(Reducer) { reduce_sorted<SortedPolicy, Reducer, Key>(stream, view_of(args)); });
}};

}  // namespace rafter::scatter_ladder::RAFTER_BACKEND
