// expect: clean
// Constant tables read up to their last entries.
#include <cuda_runtime.h>

const float weights[5] = {0.1f, 0.2f, 0.3f, 0.4f, 0.5f};
__global__ void weigh(float* out, int n) {
  constexpr int steps[5] = {1, 2, 4, 8, 16};
  out[threadIdx.x] = weights[n];
  out[threadIdx.x] += steps[n];
}

int main() {
  float* out;
  cudaMalloc(&out, 32 * sizeof(float));
  weigh<<<1, 32>>>(out, 4);
  cudaDeviceSynchronize();
  return 0;
}
