// privatised: every block adds into a copy of the result in its shared memory, and adds that to the result at its end.
// Atomics conflict only within a block. A float atomic in shared memory is a loop of load, add, compare and swap, so
// equal keys in a warp are still serialised. Up to 48 KiB of keys.
#include <algorithm>

#include "library/core/cuda/dynamic_shared.cuh"
#include "scatter/cuda/scatter_results.cuh"

namespace rafter::scatter_ladder::RAFTER_BACKEND {

template <class T, class Key>
__global__ void scatter_privatised(ScatterView<T, Key> view) {
  auto* table = core::dynamic_shared<typename SumOf<T>::State>();  // [n_keys]
  for (auto k = static_cast<std::int64_t>(threadIdx.x); k < view.n_keys; k += blockDim.x) table[k] = 0;
  __syncthreads();  // the copy is zero before any thread adds to it

  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
#pragma unroll 4
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < view.n; i += stride) {
    const Key key = view.keys[i];
    const auto value = view.value(i);
    if (view.has(key)) combine_atomically<SumOf<T>>(&table[key], SumOf<T>::from(value));
  }
  __syncthreads();  // the copy is complete

  for (auto k = static_cast<std::int64_t>(threadIdx.x); k < view.n_keys; k += blockDim.x) {
    deposit<SumOf<T>>(&view.out[k], table[k]);
  }
}

extern const ScatterRung privatised{[]<class T, class Key>(const Stream& stream, ScatterArgs<T, Key> args) {
  require_plain_sum(args);
  const std::int64_t bytes = args.n_keys() * std::int64_t{sizeof(core::Accumulator<T>)};
  if (bytes > 48 << 10) throw Error(ErrorCode::unsupported, "the sums of so many keys do not fit in 48 KiB");
  const Results<T> results(stream, args.out);
  clear_results(stream, results);
  const std::int64_t n_blocks = std::min(ceil_div(args.n(), 1024), std::int64_t{stream.n_multiprocessors()} * 4);
  core::launch(scatter_privatised<T, Key>, n_blocks, 512, bytes, stream, view_of(args, results.all.data()));
  round_results(stream, results, args.out);
}};

}  // namespace rafter::scatter_ladder::RAFTER_BACKEND
