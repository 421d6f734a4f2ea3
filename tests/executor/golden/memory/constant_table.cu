// expect: out_of_bounds kernel=weigh line=9
// expect: out_of_bounds kernel=weigh line=10
// Constant tables read past their ends.
#include <cuda_runtime.h>

const float weights[4] = {0.1f, 0.2f, 0.3f, 0.4f};
__global__ void weigh(float* out, int n) {
  constexpr int steps[3] = {1, 2, 4};
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
