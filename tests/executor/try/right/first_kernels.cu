// A typical learner's file: several kernels, host code, a main.
#include <cstdio>

__global__ void zero(float* dest) { dest[threadIdx.x] = 0; }

__global__ void one(float* dest) { dest[threadIdx.x] = 1; }

__global__ void mul_add(float* dest, float* a, float* b, float* c) {
  int i = threadIdx.x;
  dest[i] = a[i] * b[i] + c[i];
}

int main() {
  float* dest;
  cudaMalloc(&dest, 128 * sizeof(float));
  zero<<<1, 64>>>(dest);
  std::printf("%d\n", static_cast<int>(cudaDeviceSynchronize()));
}
