// Kernels that are slow because of their launch, each with a fixed version.
constexpr int n = 1 << 24;  // elements

/// Does the work with few or many blocks.
__device__ void scale_all(const float* in, float* out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i] * 2;
}
__global__ void blocks_slow(const float* in, float* out) { scale_all(in, out); }
__global__ void blocks_fixed(const float* in, float* out) { scale_all(in, out); }

/// Each block takes all shared memory of a multiprocessor and has equal work.
__device__ void filtered(const float* in, float* out) {
  extern __shared__ float window[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  window[threadIdx.x] = in[i];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 1024; ++k) sum += window[(threadIdx.x + k) % 1024] * (k + sum * 0.5f);
  out[i] = sum;
}
__global__ void tail_slow(const float* in, float* out) { filtered(in, out); }
__global__ void tail_fixed(const float* in, float* out) { filtered(in, out); }

__global__ void launches_slow(const float* in, float* out, int first) {
  const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * 2;
}
__global__ void launches_fixed(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * 2;
}

/// One element per thread in small blocks, or eight elements, 16 bytes at a time.
__global__ void starts_slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * 2;
}
__global__ void starts_fixed(const float4* in, float4* out) {
  float4 x[2];
  const int i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
  for (int k = 0; k < 2; ++k) x[k] = in[i + k * blockDim.x];
  for (int k = 0; k < 2; ++k) out[i + k * blockDim.x] = make_float4(x[k].x * 2, x[k].y * 2, x[k].z * 2, x[k].w * 2);
}

int main() {
  float *a, *b;
  cudaMalloc(&a, sizeof(float) * n);
  cudaMalloc(&b, sizeof(float) * n);
  blocks_slow<<<16, 1024>>>(a, b);
  blocks_fixed<<<n / 1024, 1024>>>(a, b);
  cudaFuncSetAttribute(tail_slow, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024);
  cudaFuncSetAttribute(tail_fixed, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024);
  tail_slow<<<140, 1024, 200 * 1024>>>(a, b);
  tail_fixed<<<132, 1024, 200 * 1024>>>(a, b);
  for (int part = 0; part < 256; ++part) launches_slow<<<64, 256>>>(a, b, part * 64 * 256);
  launches_fixed<<<n / 256, 256>>>(a, b);
  starts_slow<<<n / 64, 64>>>(a, b);
  starts_fixed<<<n / 1024, 128>>>(reinterpret_cast<const float4*>(a), reinterpret_cast<float4*>(b));
  return cudaDeviceSynchronize() != cudaSuccess;
}
