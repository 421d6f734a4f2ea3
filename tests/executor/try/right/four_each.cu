// sum_atomic with four elements per thread: most blocks of the grid have no work, which is not an error.
#include <cstdint>

__global__ void sum_atomic(const float* inp, float* dest, int64_t size) {
  const int64_t first = 4 * (int64_t{blockIdx.x} * blockDim.x + threadIdx.x);
  float sum = 0;
  for (int64_t i = first; i < first + 4 && i < size; ++i) sum += inp[i];
  if (first < size) atomicAdd(dest, sum);
}
