// privatised: every block adds into a copy of the result in its shared memory, and adds that to the result at its end.
// Atomics of a block meet in the block only. A float atomic in shared memory is a loop of load, add, compare and swap,
// so equal keys in a warp still take turns. Up to 48 KiB of keys.
#include <algorithm>

#include "core/dynamic_shared.cuh"
#include "scatter/cuda/scatter_view.cuh"

namespace rafter::scatter_ladder::RAFTER_BACKEND {

template <class T, class Key>
__global__ void scatter_privatised(ScatterView<T, Key> view) {
  auto* table = core::dynamic_shared<typename Sum<T>::State>();  // [n_keys]
  for (auto k = static_cast<std::int64_t>(threadIdx.x); k < view.n_keys; k += blockDim.x) table[k] = 0;
  __syncthreads();  // the copy is zero before anyone adds to it

  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
#pragma unroll 4
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < view.n; i += stride) {
    const Key key = view.keys[i];
    const T value = view.values[i];
    if (view.has(key)) combine_atomically<Sum<T>>(&table[key], Sum<T>::from(value));
  }
  __syncthreads();  // the copy is complete

  for (auto k = static_cast<std::int64_t>(threadIdx.x); k < view.n_keys; k += blockDim.x) {
    deposit<Sum<T>>(&view.out[k], table[k]);
  }
}

extern const ScatterRung privatised{[]<class T, class Key>(const Stream& stream, ScatterArgs<T, Key> args) {
  require_plain_sum(args);
  const auto bytes = static_cast<std::int64_t>(args.out.size_bytes());
  if (bytes > 48 << 10) throw Error(ErrorCode::unsupported, "the sums of so many keys do not fit into 48 KiB");
  core::clear(stream, args.out.data(), bytes);
  const std::int64_t n_blocks = std::min(ceil_div(args.n(), 1024), std::int64_t{stream.n_multiprocessors()} * 4);
  core::launch(scatter_privatised<T, Key>, n_blocks, 512, bytes, stream, view_of(args));
}};

}  // namespace rafter::scatter_ladder::RAFTER_BACKEND
