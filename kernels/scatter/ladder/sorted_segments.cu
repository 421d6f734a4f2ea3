// sorted_segments: one warp per key finds its elements in the sorted keys and adds them up: no atomics, no zeroing.
// Two binary searches per key, whose last steps miss all caches; short segments leave lanes idle, one long segment
// leaves the GPU idle.
#include "scatter/cuda/scatter_view.cuh"

namespace rafter::scatter_ladder::RAFTER_BACKEND {

/// Returns the index of the first of the sorted keys that is not less than `key`.
template <class Key>
__device__ std::int64_t lower_bound(const Key* keys, std::int64_t n, std::int64_t key) {
  std::int64_t first = 0;
  while (n > 0) {
    const std::int64_t half = n / 2;
    const bool less = keys[first + half] < key;
    first = less ? first + half + 1 : first;
    n = less ? n - half - 1 : half;
  }
  return first;
}

template <class T, class Key>
__global__ void scatter_sorted_segments(ScatterView<T, Key> view, T* out) {
  const int lane = static_cast<int>(threadIdx.x) % core::warp_size;
  const std::int64_t key = (blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x) / core::warp_size;
  if (key >= view.n_keys) return;  // uniform over the warp
  const std::int64_t first = lower_bound(view.keys, view.n, key);
  const std::int64_t last = first + lower_bound(view.keys + first, view.n - first, key + 1);
  auto sum = SumOf<T>::identity();
  for (std::int64_t i = first + lane; i < last; i += core::warp_size) sum += SumOf<T>::from(view.value(i));
  sum = core::warp_sum(sum);
  if (lane == 0) out[key] = core::round_to<T>(SumOf<T>::value(sum));
}

extern const ScatterRung sorted_segments{[]<class T, class Key>(const Stream& stream, ScatterArgs<T, Key> args) {
  require_plain_sum(args);
  require_sorted(args);
  constexpr int keys_per_block = 256 / core::warp_size;
  core::launch(scatter_sorted_segments<T, Key>, ceil_div(args.n_keys(), keys_per_block), 256, 0, stream,
               view_of(args, nullptr), args.out.data());
}};

}  // namespace rafter::scatter_ladder::RAFTER_BACKEND
