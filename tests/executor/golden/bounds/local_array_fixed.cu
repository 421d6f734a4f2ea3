// expect: clean
// Thread-local arrays accessed up to their ends: by index, by pointer, in functions, in structures, as parameters.
#include <cuda_runtime.h>

struct Row {
  float values[8];
  int n;
};

__device__ float sum_of(const float* values, int n) {
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += values[k];
  return sum;
}

__global__ void all(Row given, const float* in, float* out, int n) {
  float grid[4][8], row[8] = {};
  Row copy = given;
  for (int k = 0; k < 4 * n; ++k) grid[0][k] = in[k];  // rows are contiguous
  for (int k = 0; k < n; ++k) row[k] += grid[k % 4][k] + copy.values[k] + given.values[n - 1 - k];
  float* end = row + n;
  for (float* at = row; at != end; ++at) *at += 1;
  out[threadIdx.x] = sum_of(row, n) + end[-1];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 32 * sizeof(float));
  all<<<1, 32>>>(Row{{1, 2, 3}, 3}, in, out, 8);
  cudaDeviceSynchronize();
  return 0;
}
