// The kernels for sorted keys, built apart from the others: they take as long to compile as all of those.
#include "scatter/cuda/scatter_parts.hpp"
#include "scatter/cuda/scatter_sorted.cuh"

namespace rafter::scatter_ladder::RAFTER_BACKEND {

template <class Reducer, class Key>
void sorted_by_tiles(const Stream& stream, const ScatterArgs<typename Reducer::Element, Key>& args) {
  reduce_sorted<SortedPolicy, Reducer, Key>(stream, view_of(args));
}

#define RAFTER_INSTANCES_OF(Reducer, T)                                                                     \
  template void sorted_by_tiles<Reducer, std::int64_t>(const Stream&, const ScatterArgs<T, std::int64_t>&); \
  template void sorted_by_tiles<Reducer, std::int32_t>(const Stream&, const ScatterArgs<T, std::int32_t>&);
#define RAFTER_COMMA ,
#define RAFTER_INSTANCES(T)                                      \
  RAFTER_INSTANCES_OF(Sum<T>, T)                                 \
  RAFTER_INSTANCES_OF(Extreme<T RAFTER_COMMA Reduction::min>, T) \
  RAFTER_INSTANCES_OF(Extreme<T RAFTER_COMMA Reduction::max>, T)
RAFTER_INSTANCES(float)
RAFTER_INSTANCES(double)
RAFTER_INSTANCES(std::int32_t)
RAFTER_INSTANCES(std::int64_t)

}  // namespace rafter::scatter_ladder::RAFTER_BACKEND
