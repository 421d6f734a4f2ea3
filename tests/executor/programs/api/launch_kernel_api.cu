// cudaLaunchKernel with an argument array, tables of kernels, device function pointers, cudaFuncSetAttribute.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <vector>

typedef float (*unary)(float);

__device__ float twice(float x) { return 2 * x; }
__device__ float square(float x) { return x * x; }
__device__ float negate(float x) { return -x; }
__device__ unary table[3] = {twice, square, negate};

__global__ void apply(const float* in, float* out, int n, int which) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[which](in[i]);
}

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
__global__ void multiply(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] * b[i];
}

struct Params {
  int n;
  char tag;
  double bias;
};

template <typename T>
__global__ void reversed(T* data, Params p) {
  extern __shared__ unsigned char raw[];
  T* s = reinterpret_cast<T*>(raw);
  for (int i = threadIdx.x; i < p.n; i += blockDim.x) s[i] = data[i];
  __syncthreads();
  for (int i = threadIdx.x; i < p.n; i += blockDim.x) data[i] = s[p.n - 1 - i] + T(p.bias);
}

int main() {
  int n = 1001;
  std::vector<float> a(n), b(n), got(n);
  for (int i = 0; i < n; ++i) a[i] = i * 0.5f, b[i] = float(n - i);
  float *d_a, *d_b, *d_c;
  cudaMalloc((void**)&d_a, n * sizeof(float));
  cudaMalloc((void**)&d_b, n * sizeof(float));
  cudaMalloc((void**)&d_c, n * sizeof(float));
  cudaMemcpy(d_a, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  int bad = 0;

  void (*kernels[])(const float*, const float*, float*, int) = {add, multiply};
  for (int k = 0; k < 2; ++k) {
    void* args[] = {(void*)&d_a, (void*)&d_b, (void*)&d_c, (void*)&n};
    cudaError_t e = cudaLaunchKernel((const void*)kernels[k], dim3(8), dim3(128), args, 0, NULL);
    if (e != cudaSuccess) return std::printf("launch failed: %s\n", cudaGetErrorString(e)), 2;
    cudaMemcpy(got.data(), d_c, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) bad += got[i] != (k == 0 ? a[i] + b[i] : a[i] * b[i]);
    kernels[k]<<<8, 128>>>(d_b, d_a, d_c, n);
  }

  for (int which = 0; which < 3; ++which) {
    apply<<<(n + 63) / 64, 64>>>(d_a, d_c, n, which);
    cudaMemcpy(got.data(), d_c, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) bad += got[i] != (which == 0 ? 2 * a[i] : which == 1 ? a[i] * a[i] : -a[i]);
  }

  size_t bytes = n * sizeof(float);
  cudaFuncSetAttribute(reversed<float>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
  cudaFuncAttributes attr;
  if (cudaFuncGetAttributes(&attr, reversed<float>) != cudaSuccess || attr.maxThreadsPerBlock < 128) ++bad;
  Params p{n, 'r', 0.25};
  void* args[] = {&d_a, &p};
  if (cudaLaunchKernel(reversed<float>, dim3(1), dim3(96), args, bytes, 0) != cudaSuccess) ++bad;
  cudaMemcpy(got.data(), d_a, bytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) bad += got[i] != a[n - 1 - i] + 0.25f;
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  std::printf("launch_kernel_api: %d bad\n", bad);
  return bad != 0;
}
