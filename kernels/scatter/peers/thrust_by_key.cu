// thrust_by_key: thrust::reduce_by_key, and a kernel that moves its results to their keys. For sorted keys. It
// synchronises with the GPU to learn the number of keys.
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/scatter.h>

#include "library/core/stream/scratch.hpp"
#include "scatter/cuda/scatter_view.cuh"

namespace rafter::scatter_ladder::cuda {

namespace {

/// Gives Thrust one piece of scratch memory at a time, starting at `memory`.
struct ScratchAllocator {
  using value_type = char;
  char* memory;
  char* allocate(std::ptrdiff_t n) {
    char* given = memory;
    memory += ceil_div(n, 256) * 256;
    return given;
  }
  void deallocate(char*, std::size_t) {}
};

}  // namespace

template <class T, class Key>
__global__ void scatter_place_runs(const Key* keys, const T* values, std::int64_t n_runs, ScatterView<T, Key> view) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i < n_runs && view.has(keys[i])) view.out[keys[i]] = values[i];
}

template <class T, class Key>
void thrust_reduce_by_key(const Stream& stream, const ScatterArgs<T, Key>& args) {
  const std::int64_t n = args.n();
  core::clear(stream, args.out.data(), static_cast<std::int64_t>(args.out.size_bytes()));
  if (n == 0) return;
  const std::int64_t each = ceil_div(n * 8, 256) * 256;
  std::byte* scratch =
      core::scratch(stream, 2 * each + n + (std::int64_t{1} << 20));  // Thrust takes less than a byte per key
  auto* keys = reinterpret_cast<Key*>(scratch);
  auto* values = reinterpret_cast<T*>(scratch + each);
  ScratchAllocator allocator{reinterpret_cast<char*>(scratch + 2 * each)};
  const auto ends = thrust::reduce_by_key(thrust::cuda::par_nosync(allocator).on(stream.handle()), args.keys.data(),
                                          args.keys.data() + n, args.values.data(), keys, values);
  const std::int64_t n_runs = ends.first - keys;
  core::launch(scatter_place_runs<T, Key>, ceil_div(n_runs, 256), 256, 0, stream, keys, values, n_runs,
               view_of(args, args.out.data()));
}

extern const ScatterRung thrust_by_key{[]<class T, class Key>(const Stream& stream, ScatterArgs<T, Key> args) {
  require_plain_sum(args);
  require_sorted(args);
  if constexpr (std::is_same_v<T, float>) {  // Thrust takes long to compile
    thrust_reduce_by_key(stream, args);
  } else {
    throw Error(ErrorCode::unsupported, "this peer is built for float32 only");
  }
}};

}  // namespace rafter::scatter_ladder::cuda
