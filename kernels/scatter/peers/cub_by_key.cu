// cub_by_key: cub::DeviceReduce::ReduceByKey of NVIDIA's CUB, and a kernel that moves its results to their keys. For
// sorted keys.
#include <algorithm>
#include <cub/device/device_reduce.cuh>

#include "library/core/stream/scratch.hpp"
#include "scatter/cuda/scatter_view.cuh"

namespace rafter::scatter_ladder::cuda {

namespace {

struct Add {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

}  // namespace

template <class T, class Key>
__global__ void scatter_place(const Key* keys, const T* values, const std::int64_t* n_runs, ScatterView<T, Key> view) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < *n_runs; i += stride) {
    if (view.has(keys[i])) view.out[keys[i]] = values[i];
  }
}

template <class T, class Key>
void cub_reduce_by_key(const Stream& stream, const ScatterArgs<T, Key>& args) {
  const std::int64_t n = args.n();
  core::clear(stream, args.out.data(), static_cast<std::int64_t>(args.out.size_bytes()));
  if (n == 0) return;
  // The query costs host time between the timing events, so it is made once per size.
  static std::int64_t known_n = -1;
  static std::size_t known_bytes = 0;
  const auto call = [&](void* temporary, std::size_t& bytes, Key* keys, T* values, std::int64_t* n_runs) {
    core::check(cub::DeviceReduce::ReduceByKey(temporary, bytes, args.keys.data(), keys, args.values.data(), values,
                                               n_runs, Add{}, n, stream.handle()),
                "cub::DeviceReduce::ReduceByKey");
  };
  if (n != known_n) call(nullptr, known_bytes, nullptr, nullptr, nullptr);
  known_n = n;
  const std::int64_t each = ceil_div(n * 8, 256) * 256;
  std::byte* scratch = core::scratch(stream, 256 + 2 * each + static_cast<std::int64_t>(known_bytes));
  auto* n_runs = reinterpret_cast<std::int64_t*>(scratch);
  auto* keys = reinterpret_cast<Key*>(scratch + 256);
  auto* values = reinterpret_cast<T*>(scratch + 256 + each);
  call(scratch + 256 + 2 * each, known_bytes, keys, values, n_runs);
  const std::int64_t n_blocks = std::min(ceil_div(n, 256), std::int64_t{stream.n_multiprocessors()} * 8);
  core::launch(scatter_place<T, Key>, n_blocks, 256, 0, stream, keys, values, n_runs, view_of(args, args.out.data()));
}

extern const ScatterRung cub_by_key{[]<class T, class Key>(const Stream& stream, ScatterArgs<T, Key> args) {
  require_plain_sum(args);
  require_sorted(args);
  if constexpr (std::is_same_v<T, float>) {  // CUB takes long to compile
    cub_reduce_by_key(stream, args);
  } else {
    throw Error(ErrorCode::unsupported, "this peer is built for float32 only");
  }
}};

}  // namespace rafter::scatter_ladder::cuda
