// Thrust together with kernels: vectors whose memory a kernel writes, algorithms on them and on memory of cudaMalloc,
// and CUB in the same program.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <cub/cub.cuh>
#include <cuda/functional>
#include <cuda/std/functional>

#include "expect.hpp"

struct Twice {
  __host__ __device__ int operator()(int x) const { return 2 * x; }
};

/// A functor that dereferences a pointer, out of line: Thrust calls it on the host.
struct Decrement {
  int* values;
  __host__ __device__ __noinline__ void operator()(int i) const { --values[i]; }
};

__global__ void add_index(int* values, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) values[i] += i;
}

__global__ void block_largest(const int* values, int* out) {
  using BlockReduce = cub::BlockReduce<int, 128>;
  __shared__ BlockReduce::TempStorage storage;
  const int largest = BlockReduce(storage).Reduce(values[threadIdx.x], cuda::maximum<int>());
  if (threadIdx.x == 0) *out = largest;
}

int main() {
  constexpr int n = 1000;
  thrust::host_vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i * 7919 % 1009;
  thrust::device_vector<int> device = host, doubled(n), sums(n), largest(1);
  thrust::sort(device.begin(), device.end());
  add_index<<<8, 128>>>(thrust::raw_pointer_cast(device.data()), n);
  cudaDeviceSynchronize();
  thrust::transform(device.begin(), device.end(), doubled.begin(), Twice());
  thrust::inclusive_scan(doubled.begin(), doubled.end(), sums.begin());
  block_largest<<<1, 128>>>(thrust::raw_pointer_cast(device.data()), thrust::raw_pointer_cast(largest.data()));
  cudaDeviceSynchronize();
  const int total = thrust::reduce(doubled.begin(), doubled.end(), 0, cuda::std::plus<int>());

  int *raw, copy[128];
  cudaMalloc(&raw, sizeof(copy));
  thrust::fill(thrust::device, raw, raw + 128, 5);
  const thrust::counting_iterator<int> first(0);
  thrust::for_each(thrust::device, first, first + 128, Decrement{raw});
  add_index<<<1, 128>>>(raw, 128);
  cudaMemcpy(copy, raw, sizeof(copy), cudaMemcpyDeviceToHost);
  const thrust::device_ptr<int> pointer(raw);
  expect(copy[100] == 104 && thrust::reduce(pointer, pointer + 128) == 128 * 4 + 127 * 64, "memory of cudaMalloc");
  cudaFree(raw);

  thrust::host_vector<int> sorted = host;
  try {
    thrust::sort(sorted.begin(), sorted.end());
  } catch (const thrust::system_error& error) {  // of <thrust/system_error.h>, which other headers include
    expect(false, error.what());
  }
  int expected = 0;
  for (int i = 0; i < n; ++i) expected += 2 * (sorted[i] + i);
  expect(total == expected && sums[n - 1] == expected, "sums");
  expect(largest[0] == sorted[127] + 127, "the largest of a block");
  return report();
}
