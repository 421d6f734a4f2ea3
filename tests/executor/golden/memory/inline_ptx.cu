// expect: out_of_bounds kernel=past line=8 space=global
// expect: race kernel=early line=18 other=15 space=shared
// Accesses by inline PTX: one past the end of an array, and one to the target of a pending asynchronous copy.
#include <cuda_runtime.h>

__global__ void past(const float *in, float *out) {
  float v;
  asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(v) : "l"(in + threadIdx.x + 1));
  out[threadIdx.x] = v;
}

__global__ void early(const float *in, float *out) {
  __shared__ float tile[32];
  const unsigned to = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + threadIdx.x));
  asm volatile("cp.async.commit_group;" ::);
  asm volatile("cp.async.wait_group %0;" ::"n"(1));
  out[threadIdx.x] = tile[threadIdx.x];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 32 * sizeof(float));
  past<<<1, 32>>>(in, out);
  early<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
