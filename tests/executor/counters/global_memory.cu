// Kernels with known global-memory traffic, one access pattern each, 128 threads in two blocks.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int n = 128;

__device__ int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void copy(const float* in, float* out) { out[index()] = in[index()]; }
__global__ void copy_float4(const float4* in, float4* out) { out[index()] = in[index()]; }
__global__ void copy_half(const __half* in, __half* out) { out[index()] = in[index()]; }
__global__ void copy_bytes(const char* in, char* out) { out[index()] = in[index()]; }
__global__ void copy_double(const double* in, double* out) { out[index()] = in[index()]; }
__global__ void stride_2(const float* in, float* out) { out[2 * index()] = in[2 * index()]; }
__global__ void column(const float* in, float* out) { out[index()] = in[index() * 32]; }
__global__ void misaligned_by_one(const float* in, float* out) { out[index()] = in[index() + 1]; }
__global__ void broadcast(const float* in, float* out) { out[index()] = in[5]; }
__global__ void backwards(const float* in, float* out) { out[index()] = in[n - 1 - index()]; }
__global__ void half_warp(const float* in, float* out) {
  if (threadIdx.x % 32 < 16) out[index()] = in[index()];
}
__global__ void even_lanes(const float* in, float* out) {
  if (threadIdx.x % 2 == 0) out[index()] = in[index()];
}
// Lane i makes i + 1 iterations.
__global__ void triangle(const float* in, float* out) {
  float sum = 0;
  for (unsigned turn = 0; turn <= threadIdx.x % 32; ++turn) sum += in[turn * n + index()];
  out[index()] = sum;
}

int main() {
  char *in = nullptr, *out = nullptr;
  cudaMalloc(&in, n * 128 + 64);
  cudaMalloc(&out, n * 16);
  cudaMemset(in, 0, n * 128 + 64);
  copy<<<2, 64>>>((const float*)in, (float*)out);
  copy_float4<<<2, 64>>>((const float4*)in, (float4*)out);
  copy_half<<<2, 64>>>((const __half*)in, (__half*)out);
  copy_bytes<<<2, 64>>>(in, out);
  copy_double<<<2, 64>>>((const double*)in, (double*)out);
  stride_2<<<2, 64>>>((const float*)in, (float*)out);
  column<<<2, 64>>>((const float*)in, (float*)out);
  misaligned_by_one<<<2, 64>>>((const float*)in, (float*)out);
  broadcast<<<2, 64>>>((const float*)in, (float*)out);
  backwards<<<2, 64>>>((const float*)in, (float*)out);
  half_warp<<<2, 64>>>((const float*)in, (float*)out);
  even_lanes<<<2, 64>>>((const float*)in, (float*)out);
  triangle<<<2, 64>>>((const float*)in, (float*)out);
  cudaFree(in);
  cudaFree(out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
