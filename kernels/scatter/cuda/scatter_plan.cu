// The sort of a plan: CUB's radix sort, which is stable, over as many bits as the keys have.
#include <bit>
#include <cub/device/device_radix_sort.cuh>

#include "library/core/cuda/launch.cuh"
#include "scatter/scatter_rung.hpp"

namespace rafter::scatter_ladder::RAFTER_BACKEND {

template <class Key>
__global__ void scatter_number_keys(const Key* keys, std::int64_t n, std::int64_t n_keys, std::int64_t* tidy,
                                    std::int64_t* order) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i >= n) return;
  const std::int64_t key = keys[i];
  tidy[i] = key >= 0 && key < n_keys ? key : n_keys;
  order[i] = i;
}

extern const SortRung sort_keys{[]<class Key>(const Stream& stream, SortArgs<Key> args) {
  const std::int64_t n = std::ssize(args.keys);
  if (n == 0) return;
  Buffer<std::int64_t> tidy(stream, n);
  Buffer<std::int64_t> numbers(stream, n);
  constexpr int threads = 256;
  core::launch(scatter_number_keys<Key>, ceil_div(n, threads), threads, 0, stream, args.keys.data(), n, args.n_keys,
               tidy.data(), numbers.data());

  const int n_bits = std::bit_width(static_cast<std::uint64_t>(args.n_keys));
  const auto sort = [&](void* temporary, std::size_t& bytes) {
    const cudaError_t status =
        cub::DeviceRadixSort::SortPairs(temporary, bytes, tidy.data(), args.sorted.data(), numbers.data(),
                                        args.order.data(), n, 0, n_bits, stream.handle());
    if (status != cudaSuccess) {
      throw Error(ErrorCode::device_failure, std::string("cub::DeviceRadixSort failed: ") + cudaGetErrorString(status));
    }
  };
  std::size_t bytes = 0;
  sort(nullptr, bytes);
  Buffer<std::byte> temporary(stream, static_cast<std::int64_t>(bytes));
  sort(temporary.data(), bytes);
  stream.synchronize();  // before the temporary memory is freed
}};

}  // namespace rafter::scatter_ladder::RAFTER_BACKEND
