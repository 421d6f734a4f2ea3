// warp_combined: lanes of a warp with the same key are added up first; one of them executes the atomic.
// Up to 32 times fewer atomics if keys are equal or sorted; if all differ, the comparison is pure overhead.
#include "scatter/cuda/scatter_results.cuh"

namespace rafter::scatter_ladder::RAFTER_BACKEND {

template <class T, class Key>
__global__ void scatter_warp_combined(ScatterView<T, Key> view) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  const bool there = i < view.n && view.has(view.keys[i]);
  const Key key = there ? view.keys[i] : Key{-1};
  auto sum = there ? SumOf<T>::from(view.value(i)) : SumOf<T>::identity();
  const bool first = combine_equal_lanes<SumOf<T>>(key, sum);  // all lanes, including those past the end
  if (first && key >= 0) deposit<SumOf<T>>(&view.out[key], sum);
}

extern const ScatterRung warp_combined{[]<class T, class Key>(const Stream& stream, ScatterArgs<T, Key> args) {
  require_plain_sum(args);
  const Results<T> results(stream, args.out);
  clear_results(stream, results);
  core::launch(scatter_warp_combined<T, Key>, ceil_div(args.n(), 256), 256, 0, stream,
               view_of(args, results.all.data()));
  round_results(stream, results, args.out);
}};

}  // namespace rafter::scatter_ladder::RAFTER_BACKEND
