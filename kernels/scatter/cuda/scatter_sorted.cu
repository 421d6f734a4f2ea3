// The kernels for sorted keys, compiled separately: they take as long to compile as all others.
#include "scatter/cuda/scatter_parts.hpp"
#include "scatter/cuda/scatter_sorted.cuh"

namespace rafter::scatter_ladder::RAFTER_BACKEND {

std::int64_t sorted_bytes(std::int64_t n, std::int64_t pair_bytes) {
  return n_sorted_partials<SortedPolicy>(n) * pair_bytes;
}

extern const PartRung sorted_by_tiles{[]<class T, class Key>(const Stream& stream, PartArgs<T, Key> args) {
  with_reduction<T>(args.reduction, [&]<class Reducer>(Reducer) {
    reduce_sorted<SortedPolicy, Reducer>(stream, args.view, args.scratch.data());
  });
}};

}  // namespace rafter::scatter_ladder::RAFTER_BACKEND
