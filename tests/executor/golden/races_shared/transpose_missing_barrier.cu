// expect: race kernel=transpose line=11 other=15 space=shared
// Threads read tile elements that other threads fill, without a barrier in between.
#include <cuda_runtime.h>

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = 0.0f;
  __syncthreads();
  if (x < n && y < n) {
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  }
  int tx = blockIdx.y * 16 + threadIdx.x, ty = blockIdx.x * 16 + threadIdx.y;
  if (tx < n && ty < n) {
    out[ty * n + tx] = tile[threadIdx.x][threadIdx.y];
  }
}

int main() {
  const int n = 40;
  float *in, *out;
  cudaMalloc(&in, n * n * sizeof(float));
  cudaMalloc(&out, n * n * sizeof(float));
  cudaMemset(in, 1, n * n * sizeof(float));
  transpose<<<dim3(3, 3), dim3(16, 16)>>>(in, out, n);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
