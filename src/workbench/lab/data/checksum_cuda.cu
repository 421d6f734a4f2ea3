// Checksums on the GPU: each thread sums its words, each block adds its sum to the total with one atomic.
#include <algorithm>

#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/reduce.cuh"
#include "rafter/buffer.hpp"
#include "workbench/lab/data/checksum.hpp"

namespace rafter::lab {

namespace {

constexpr int sum_threads = 256;

__global__ void add_words(const std::uint32_t* words, std::int64_t n, unsigned long long* sum) {
  __shared__ core::BlockSumStorage<unsigned long long, sum_threads> storage;
  const std::int64_t stride = std::int64_t{gridDim.x} * sum_threads;
  unsigned long long mine = 0;
#pragma unroll 8
  for (std::int64_t i = blockIdx.x * std::int64_t{sum_threads} + threadIdx.x; i < n; i += stride)
    mine += checksum_share(words[i], i);
  mine = core::block_sum(mine, storage);
  if (threadIdx.x == 0) atomicAdd(sum, mine);
}

}  // namespace

std::uint64_t checksum_cuda(const Stream& stream, const std::uint32_t* words, std::int64_t n) {
  Buffer<unsigned long long> sum(stream, 1);
  const std::int64_t resident = std::int64_t{stream.n_multiprocessors()} * 8;
  core::clear(stream, sum.data(), sizeof(unsigned long long));
  core::launch(add_words, std::min(ceil_div(n, sum_threads), resident), sum_threads, 0, stream, words, n, sum.data());
  unsigned long long result = 0;
  sum.copy_to(std::span(&result, 1));
  return result;
}

}  // namespace rafter::lab
