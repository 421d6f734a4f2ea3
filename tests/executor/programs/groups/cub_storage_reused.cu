// Temporary storage reused without a barrier: the race that CUB's documentation warns of. The clean counterpart is
// cub_block_reduce_scan.cu.
#include <cub/cub.cuh>

#include "expect.hpp"

__global__ void two_sums(int* out) {
  using BlockReduce = cub::BlockReduce<int, 64>;
  __shared__ BlockReduce::TempStorage storage;
  const int first = BlockReduce(storage).Sum(1);
  const int second = BlockReduce(storage).Sum(2);
  if (threadIdx.x == 0) out[0] = first, out[1] = second;
}

int main() {
  DeviceArray<int> out(2);
  two_sums<<<1, 64>>>(out.get());
  out.values();
  return 0;
}
