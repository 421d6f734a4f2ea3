#include <vector>

__global__ void mul_add(float* dest, const float* a, const float* b, const float* c) {
  std::vector<float> product(blockDim.x);
  product[threadIdx.x] = a[threadIdx.x] * b[threadIdx.x];
  dest[threadIdx.x] = product[threadIdx.x] + c[threadIdx.x];
}
