// Kernels with known shared-memory bank conflicts, one access pattern each. 64 threads, or a tile of 32 x 32.
#include <cuda_runtime.h>

constexpr int n = 64;

__global__ void row(float* out) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.y][threadIdx.x];
}
__global__ void column(float* out) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void padded_column(float* out) {
  __shared__ float tile[32][33];
  tile[threadIdx.y][threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

template <class T>
__device__ void store_and_load(float* out, int stride) {
  extern __shared__ __align__(16) unsigned char memory[];
  T* values = reinterpret_cast<T*>(memory);
  values[threadIdx.x * stride] = T{};
  __syncthreads();
  const T value = values[threadIdx.x * stride];
  out[threadIdx.x] = *reinterpret_cast<const char*>(&value);
}
__global__ void stride_2(float* out) { store_and_load<float>(out, 2); }
__global__ void stride_3(float* out) { store_and_load<float>(out, 3); }
__global__ void stride_8(float* out) { store_and_load<float>(out, 8); }
__global__ void of_bytes(float* out) { store_and_load<char>(out, 1); }
__global__ void of_float2(float* out) { store_and_load<float2>(out, 1); }
__global__ void of_float4(float* out) { store_and_load<float4>(out, 1); }
__global__ void broadcast(float* out) {
  __shared__ float one;
  if (threadIdx.x == 0) one = 3;
  __syncthreads();
  out[threadIdx.x] = one;
}

int main() {
  float* out = nullptr;
  cudaMalloc(&out, 1024 * sizeof(float));
  row<<<1, dim3(32, 32)>>>(out);
  column<<<1, dim3(32, 32)>>>(out);
  padded_column<<<1, dim3(32, 32)>>>(out);
  stride_2<<<1, n, 2 * n * 4>>>(out);
  stride_3<<<1, n, 3 * n * 4>>>(out);
  stride_8<<<1, n, 8 * n * 4>>>(out);
  of_bytes<<<1, n, n>>>(out);
  of_float2<<<1, n, n * 8>>>(out);
  of_float4<<<1, n, n * 16>>>(out);
  broadcast<<<1, n>>>(out);
  cudaFree(out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
